#!/bin/sh
# The rows of the list of rungs in each kernel's page are what `uskor list KERNEL --markdown` says, in its order
# (`make lists` writes them anew). A rung that the page does not list yet is a line here, and no failure.
# $1: the repository; USKOR: the program.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0 compared=0
for page in src/kernels/*/NOTEBOOK.md src/kernels/*/README.md; do
    grep -q '^| *rung *|' "$page" || continue
    tools/list "$page" >"$work/page"
    "$USKOR" list "$(basename "$(dirname "$page")")" --markdown >"$work/ladder"
    compared=$((compared + 1))
    LC_ALL=C diff "$work/page" "$work/ladder" >"$work/differences" || :
    if grep -q '^<' "$work/differences"; then
        echo "$page: its list of rungs is not the ladder's: run make lists"
        grep '^<' "$work/differences"
        wrong=1
    elif [ -s "$work/differences" ]; then
        echo "$page: rungs not listed yet (make lists):"
        grep '^>' "$work/differences"
    fi
done
[ $compared -ge 6 ] || { echo "only $compared lists were found"; wrong=1; }
exit $wrong
