#!/bin/sh
# Nothing in the tree names one machine's folders, and no source is left unfinished. $1: the repository.
set -eu
cd "$1"
wrong=0
# Grep's own line would match itself, were the words written whole.
if find . \( -name .git -o -name 'build*' \) -prune -o -type f ! -name '*.png' ! -name '*.npy' -print | sort |
    xargs grep -nIE '(^|[^[:alnum:]_.~-])/(ho[m]e|ro[o]t|wo[r]k|Us[e]rs|fa[r]m)/[[:alnum:]_.]'; then
    echo 'a path of one machine'
    wrong=1
fi
if find src include tests \( -name '*.[ch]' -o -name '*.cl' -o -name '*.cu' -o -name '*.clh' -o -name '*.cuh' \) |
    sort | xargs grep -nEi '\b(TO[D]O|FIX[M]E|XX[X]|HA[C]K|not implemente[d])\b'; then
    echo 'unfinished work'
    wrong=1
fi
exit $wrong
