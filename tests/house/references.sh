#!/bin/sh
# A kernel's check computes nothing with what a rung computes with. What fills, refers and checks includes headers of its own
# kind and the kernel's; of the kernel's it calls what describes the problem alone; and its objects call no rung's.
# $1: the repository; $2: the build folder.
set -eu
cd "$1/src/kernels"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
sides='check|tolerance|check_[a-z]*|reference|errors|plane_wave|checkered|inputs|fill|documented_order'
# What tells what is asked, without arithmetic of the answer; CALL_FOR_SIZE chooses among copies of the caller's own code.
shared=' product_of product_depth product_layout resizing_of resizing_of_problem transpose_layouts_of transpose_is_in_place transposition_at wave_grid_of CALL_FOR_SIZE sort_is_descending sort_is_argsort sort_value_bytes sort_top sort_is_unique sort_has_nans_first sort_partition sort_line_count sort_one_line '

find . -name '*.[ch]' | sed 's,^\./,,' | grep -E "^[a-z]+/($sides)\.[ch]\$" | sort >"$work/files"
[ "$(wc -l <"$work/files")" -gt 20 ] || { echo 'hardly any check was found'; exit 1; }
for kernel in $(cut -d / -f 1 "$work/files" | uniq); do
    [ "$kernel" != pipeline ] && [ ! -f "$kernel/check.c" ] && { echo "$kernel: has no check.c"; wrong=1; }
done
# What each kernel's header declares as a function, or defines as a macro with arguments: a|b|c.
for kernel in $(cut -d / -f 1 "$work/files" | uniq); do
    [ -f "$kernel/$kernel.h" ] || { : >"$work/names.$kernel"; continue; }
    grep -oE '\b[A-Za-z_0-9]+\(' "$kernel/$kernel.h" | tr -d '(' | sort -u | while read -r name; do
        case $name:$shared in
        if:* | for:* | while:* | switch:* | sizeof:* | return:* | defined:* | __attribute__:*) continue ;;
        "${kernel}_fill":* | "${kernel}_fill_unread":* | "${kernel}_check":* | function:*) continue ;;
        *" $name "*) continue ;;
        esac
        ! grep -qE "(^[a-z].*[ *]|^#define )$name\(" "$kernel/$kernel.h" || echo "$name"
    done | paste -sd '|' - >"$work/names.$kernel"
done
while read -r file; do
    kernel=${file%%/*}
    # The pipeline's result is a dot product: its check is that of dot.
    grep -oE '^#include "(kernels|backends)/[^"]*"' "$file" | sed 's/.*"\(.*\)"/\1/' | while read -r header; do
        case $header in
        kernels/kernel.h | kernels/structure.h | kernels/layout.h | "kernels/$kernel/$kernel.h") continue ;;
        backends/cpu/isa.h) continue ;; # the processor's instruction sets: computes nothing
        kernels/dot/check.h) [ "$kernel" = pipeline ] && continue ;;
        esac
        echo "$header" | grep -qE "^kernels/$kernel/($sides)\.h\$" ||
            echo "src/kernels/$file: includes $header, which rungs compute with"
    done
    names=$(cat "$work/names.$kernel")
    [ -n "$names" ] || continue
    grep -nE "\b($names)\(" "$file" | sed "s,^,src/kernels/$file:,; s,\$,  ($kernel.h shares it with rungs),"
done <"$work/files" >"$work/said"
# Kinds of inputs are the inputs' alone.
grep -l '"kernels/structure.h"' ./*/*.[ch] | sed 's,^\./,,' | grep -vxFf "$work/files" |
    sed 's,.*,src/kernels/&: includes kernels/structure.h\, which is of the inputs,' >>"$work/said" || :
[ -s "$work/said" ] && { cat "$work/said"; wrong=1; }

objects=$2/CMakeFiles/uskor_objects.dir/src/kernels
if [ -d "$objects" ]; then
    cd "$objects"
    for file in $(grep '\.c$' "$work/files"); do
        [ ! -f "$file.o" ] || echo "$file.o"
    done | xargs nm -A -P | awk '$3 == "U" { sub(/:$/, "", $1); print $2, $1 }' | sort >"$work/uses"
    for file in $(find . -mindepth 2 -name '*.c.o' | sed 's,^\./,,' | sort); do
        source=${file%.o}
        kernel=${file%%/*}
        grep -qx "$source" "$work/files" || [ "$source" = "$kernel/$kernel.c" ] || [ ! -f "$1/src/kernels/$source" ] ||
            echo "$file"
    done | xargs nm -A -P | awk '$3 ~ /^[A-Z]$/ && $3 != "U" { sub(/:$/, "", $1); print $2, $1 }' | sort >"$work/rungs"
    [ "$(wc -l <"$work/uses")" -gt 100 ] && [ "$(wc -l <"$work/rungs")" -gt 100 ] || { echo 'hardly any symbol was found'; exit 1; }
    join "$work/uses" "$work/rungs" >"$work/both"
    if [ -s "$work/both" ]; then
        sed 's/\(.*\) \(.*\) \(.*\)/\2 calls \1, which is of \3/' "$work/both"
        wrong=1
    fi
fi
exit $wrong
