#!/bin/sh
# Nothing in the tree names one machine's folders, and no source is left unfinished. $1: the repository.
set -eu
cd "$1"
wrong=0
# Grep's own line would match itself, were the words written whole.
if find . \( -name .git -o -name 'build*' \) -prune -o -type f ! -name '*.png' ! -name '*.webp' ! -name '*.npy' -print | sort |
    xargs grep -nIE '(^|[^[:alnum:]_.~-])/(ho[m]e|ro[o]t|wo[r]k|Us[e]rs|fa[r]m)/[[:alnum:]_.]'; then
    echo 'a path of one machine'
    wrong=1
fi
if find src include tests \( -name '*.[ch]' -o -name '*.cl' -o -name '*.cu' -o -name '*.clh' -o -name '*.cuh' \) |
    sort | xargs grep -nEi '\b(TO[D]O|FIX[M]E|XX[X]|HA[C]K|not implemente[d])\b'; then
    echo 'unfinished work'
    wrong=1
fi
# The private dialect that was written out of the pages and the program's texts, and two words for one thing in Russian.
cat >"${TMPDIR:-/tmp}/dialect.$$" <<'DIALECT'
of its own accord
nothing of the kind
as good as two
for sure
turns, whole lines
passes the caches by
let go of what
takes it for another
is no finite
is no size
is no PNG
what it concluded
is so here
is reckoned
the lab itself
cores of the first two threads
kept 1.2 processors
looks closer
for the leaves
factors to and fro
sums an item
whatever it is worth
is of no matter
blanks are of
left out wholly
чего бы это ни стоило
выполнить нечего
оценивается только верность
верная, но
последним писал в которые
ждущие друг друга
которые ничего не ждут
третий пишется, все рядом
потолк
код выхода
сама лаборатория
самое большее
где ошибаются
занимали процессоров
занимали в среднем ядер
компилятор регистров
опубликовано для
наше лучшее
DIALECT
cat docs/*.md README.md src/kernels/*/README.md src/kernels/*/*-*.md po/uskor.pot src/publications/*.json >"${TMPDIR:-/tmp}/shown.$$"
msgcat --no-wrap po/ru.po | grep '^msgstr' >>"${TMPDIR:-/tmp}/shown.$$"
if grep -nFi -f "${TMPDIR:-/tmp}/dialect.$$" "${TMPDIR:-/tmp}/shown.$$"; then
    echo 'a phrase of the private dialect: name the mechanism with the field'"'"'s own term'
    wrong=1
fi
rm -f "${TMPDIR:-/tmp}/dialect.$$" "${TMPDIR:-/tmp}/shown.$$"
exit $wrong
