#!/bin/sh
# docs/publications.md lists what the publications contain: each data file has a section that names its tables and the
# rungs of its runs, and links lead to files and headings that are there. $1: the repository.
set -eu
cd "$1"
page=docs/publications.md
wrong=0
say() {
    echo "$page: $*"
    wrong=1
}

# The section of a publication. $1: its name.
section() {
    awk -v name="## $1" '/^## / { inside = $0 == name } inside' "$page"
}

for file in src/publications/*.json; do
    name=$(basename "$file" .json)
    [ -n "$(section "$name")" ] || say "no section on $name"
    section "$name" | grep -q "(../$file)" || say "$name: no link to $file"
    grep -o '"number": "[^"]*"' "$file" | sed 's/.*: "//; s/"$//' | while read -r number; do
        case $number in
        [0-9]*) pattern="[Tt]ables? ([0-9.]+(,| and) )*$(echo "$number" | sed 's/[.]/[.]/g')([^0-9.]|[.]?$)" ;;
        *) pattern=$(echo "$number" | sed 's/[.]/[.]/g') ;;
        esac
        section "$name" | grep -qE "$pattern" || echo "$number"
    done >"${TMPDIR:-/tmp}/missing.$$"
    while read -r number; do
        say "$name: table $number is not named"
    done <"${TMPDIR:-/tmp}/missing.$$"
    for rung in $(grep -o '"rung": "[^"]*"' "$file" | sed 's/.*: "//; s/"$//' | sort -u); do
        section "$name" | grep -qE "\`$rung\`" || say "$name: the rung $rung is not named"
    done
done
rm -f "${TMPDIR:-/tmp}/missing.$$"

# Links: the file, and the heading as GitHub names it.
grep -oE '\]\([^)]+\)' "$page" | sed 's/^](//; s/)$//' | sort -u >"${TMPDIR:-/tmp}/links.$$"
[ "$(wc -l <"${TMPDIR:-/tmp}/links.$$")" -ge 40 ] || say "hardly any links"
while read -r link; do
    target=docs/${link%%#*}
    [ -e "$target" ] || { say "no such file: $link"; continue; }
    case $link in
    *#*) sed -n 's/^#* //p' "$target" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 -]//g; s/ /-/g' | grep -qxF "${link#*#}" ||
        say "no such heading: $link" ;;
    esac
done <"${TMPDIR:-/tmp}/links.$$"
rm -f "${TMPDIR:-/tmp}/links.$$"
exit $wrong
