#!/bin/sh
# Every relative link in a page leads to a file that is there. $1: the repository.
set -eu
cd "$1"
find . \( -name .git -o -name 'build*' \) -prune -o -name '*.md' -print | sort | while read -r page; do
    grep -oE '\]\([^)#:]+[^)]*\)' "$page" | sed 's/^](//; s/[#)].*//' | while read -r target; do
        [ -e "$(dirname "$page")/$target" ] || echo "$page: no such file: $target"
    done
done | awk '{ print; wrong = 1 } END { exit wrong }'
