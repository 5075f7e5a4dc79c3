#!/bin/sh
# Every source is as clang-format 14 leaves it (other versions differ in small things). $1: the repository; with -i after
# it they are brought to that form.
set -eu
cd "$1"
tool=tools/clang-format
if ! "$tool" --version >/dev/null 2>&1; then
    echo "SKIP: no clang-format 14 here (make tools)"
    exit 77
fi
how='--dry-run -Werror --ferror-limit=3'
[ "${2:-}" != -i ] || how=-i
# shellcheck disable=SC2086 # several words
find src include tests -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.cu' -o -name '*.clh' -o -name '*.cuh' \) |
    sort | xargs "$tool" $how
