#!/bin/sh
# A comment that names a file of the repository names one that is there, and a text that names a group of tools/setup one that it
# knows. $1: the repository.
set -eu
cd "$1"
known=" $(tools/setup no-such-group 2>&1 | sed -n 's/.*these are //p') "
for group in $(grep -rhoE 'tools/setup [a-z]+' README.md docs src python Makefile | sed 's/.* //' | sort -u); do
    case $known in *" $group "*) ;; *) echo "tools/setup knows no group $group"; exit 1 ;; esac
done
find src include tests tools docs -type f | sed 's,.*/,,' | sort -u |
    awk -v quote="'" '
    BEGIN { vendors = " cuda_occupancy.h nppdefs.h nppi_geometry_transforms.h " }
    NR == FNR { known[$0] = 1; next }
    FNR == 1 { inside = 0 }
    {
        comment = ""
        if (inside || match($0, /\/\*|\/\//)) comment = inside ? $0 : substr($0, RSTART)
        if ($0 ~ /\/\*/) inside = 1
        if ($0 ~ /\*\//) inside = 0
        while (match(comment, /[A-Za-z0-9_<>*{}.\/-]+\.(c|h|def|clh|cuh|cl|cu)([^A-Za-z0-9_]|$)/)) {
            name = substr(comment, RSTART, RLENGTH)
            before = RSTART > 1 ? substr(comment, RSTART - 1, 1) : ""
            comment = substr(comment, RSTART + RLENGTH)
            sub(/[^A-Za-z0-9_]$/, "", name)
            path = name
            sub(/.*\//, "", name)
            # Names with a gap, examples ("FILE.cl", "a.c") and names in quotes are not of files here.
            if (name in known || index(vendors, " " name " ") || path ~ /[<>*{}]/ || name ~ /^[A-Z]+\./ || name ~ /^.\./ || name ~ /^\./ || before ~ /["`<]/ || before == quote) continue
            print FILENAME ":" FNR ": there is no file " path
            wrong = 1
        }
    }
    END { exit wrong || NR < 10000 }' - $(find src include -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.cu' -o -name '*.clh' -o -name '*.cuh' -o -name '*.def' \) | sort)
