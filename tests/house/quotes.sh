#!/bin/sh
# What a page quotes of a results file stands in that file: a block of figures that follows a link to results/….txt within
# three lines must be made of its lines ("…" is what was left out). $1: the repository.
set -eu
cd "$1"
find . \( -name .git -o -name 'build*' \) -prune -o -name '*.md' -print | sort | while read -r page; do
    awk -v page="$page" -v folder="$(dirname "$page")" '
        match($0, /\]\([^)]*results\/[^)]*\.txt\)/) {
            file = folder "/" substr($0, RSTART + 2, RLENGTH - 3)
            near = NR
        }
        /^```/ {
            quoting = !quoting && file != "" && NR - near <= 3
            if (quoting) {
                print "quoted"
                split("", lines)
                while ((getline line < file) > 0) { sub(/ +$/, "", line); lines[line] = 1 }
                close(file)
            }
            next
        }
        quoting && $0 != "" && $0 != "…" {
            line = $0
            sub(/ +$/, "", line)
            if (!(line in lines) && line !~ /^\$/) print page ":" NR ": not in " file ": " line
        }' "$page"
done | awk '/^quoted$/ { quoted++; next } { print; wrong = 1 }
    END { if (quoted < 1) print "no quotation was found"; exit wrong || quoted < 1 }'
