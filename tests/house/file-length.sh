#!/bin/sh
# No source file is longer than 400 lines: a longer one holds two ideas. $1: the repository.
set -eu
cd "$1"
find src include tests -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.cu' -o -name '*.clh' -o -name '*.cuh' \) |
    sort | xargs wc -l | awk '$2 != "total" && $1 > 400 { printf "%s: %d lines, at most 400\n", $2, $1; wrong = 1 }
                              END { exit wrong }'
