#!/bin/sh
# Every source is as clang-format 14 leaves it (other versions differ in small things). $1: the repository.
set -eu
cd "$1"
tool=tools/clang-format
if ! "$tool" --version >/dev/null 2>&1; then
    echo "SKIP: no clang-format 14 here (make tools)"
    exit 77
fi
find src include tests -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.cu' -o -name '*.clh' -o -name '*.cuh' \) |
    sort | xargs "$tool" --dry-run -Werror --ferror-limit=3
