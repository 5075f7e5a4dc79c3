#!/bin/sh
# Every relative link in a page leads to a file that is there; at least 100 links are found. $1: the repository.
set -eu
cd "$1"
find . \( -name .git -o -name 'build*' \) -prune -o -name '*.md' -print | sort | while read -r page; do
    grep -oE '\]\([^)#:]+[^)]*\)' "$page" | sed 's/^](//; s/[#)].*//' | while read -r target; do
        [ -e "$(dirname "$page")/$target" ] && echo found || echo "$page: no such file: $target"
    done
done | awk '/^found$/ { found++; next } { print; wrong = 1 }
    END { if (found < 100) print "only " found + 0 " links were found"; exit wrong || found < 100 }'
