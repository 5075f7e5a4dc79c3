#!/bin/sh
# The law is one idea in a file. One of more than 400 lines is a hint that it holds two: it is listed here, for whoever
# reads it next; one of more than 600 fails. $1: the repository.
set -eu
cd "$1"
find src include tests -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.cu' -o -name '*.clh' -o -name '*.cuh' \) |
    sort | xargs wc -l | awk '$2 != "total" && $1 > 400 { printf "%s: %d lines: two ideas?\n", $2, $1 }
                              $2 != "total" && $1 > 600 { wrong = 1 }
                              END { exit wrong || NR < 100 }'
