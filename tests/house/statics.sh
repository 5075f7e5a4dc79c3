#!/bin/sh
# Commands and reports keep nothing in static memory: what a function prints, it is given. $1: the repository; $2: the build
# folder.
set -eu
cd "$2"
command -v objdump >/dev/null || { echo 'SKIP: no objdump'; exit 77; }
objects=$(find CMakeFiles/uskor*.dir/src/cli CMakeFiles/uskor*.dir/src/report -name '*.c.o' | sort)
[ "$(echo "$objects" | wc -l)" -gt 50 ] || { echo 'hardly any object was found'; exit 1; }
wrong=0
for object in $objects; do
    source=src/${object#*.dir/src/}
    [ -f "$1/${source%.o}" ] || continue # of a file that is gone
    # headings_from and sources_from are given main's one function, as the report knows no kernels; style_choose_colour, --color.
    # gcc has what points elsewhere in .data.rel.local, and its constants in .data.rel.ro.
    found=$(objdump -t "$object" | awk '/ O \.(data|bss)/ && !/ O \.data\.rel\.ro/ && $NF != "maker" && $NF != "chosen_colour" &&
        $NF !~ /^__odr_asan/ { print $NF }')
    [ -z "$found" ] || { echo "${source%.o}: static and not constant: $found"; wrong=1; }
done
exit $wrong
