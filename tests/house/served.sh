#!/bin/sh
# What the C library has of a ladder is of that ladder, row by row, in its order. $1: the repository.
set -eu
wrong=0
[ "$(cat "$1"/src/kernels/*/served.def | grep -cE '^(HOST|DEVICE|HOSTED)_RUNG')" -gt 20 ] || { echo 'hardly any row was found'; exit 1; }
for served in "$1"/src/kernels/*/served.def; do
    grep -E '^(HOST|DEVICE|HOSTED)_RUNG' "$served" | {
        last=0
        while read -r row; do
            at=$(grep -nxF "$row" "$(dirname "$served")/ladder.def" | cut -d : -f 1)
            if [ -z "$at" ] || [ "$at" -le "$last" ]; then
                echo "$served: '$row' is not in ladder.def, or in another order"
                exit 1
            fi
            last=$at
        done
    } || wrong=1
done
exit $wrong
