#!/bin/sh
# The list of rungs in each kernel's page is what `uskor list KERNEL --markdown` says (`make lists` writes it anew).
# $1: the repository; USKOR: the program.
set -eu
cd "$1"
wrong=0
for page in src/kernels/*/NOTEBOOK.md src/kernels/*/README.md; do
    grep -q '^| *rung *|' "$page" || continue
    kernel=$(basename "$(dirname "$page")")
    if [ "$(tools/list "$page" | cksum)" != "$("$USKOR" list "$kernel" --markdown | cksum)" ]; then
        echo "$page: its list of rungs is not the ladder's: run make lists"
        wrong=1
    fi
done
exit $wrong
