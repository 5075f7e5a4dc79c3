#!/bin/sh
# Every source is as clang-format 14 leaves it (other versions differ in small things). $1: the repository; with -i after
# it they are brought to that form, with the build folder a list of files that passed is kept there: a file is checked again
# when its content, the style or the tool is another.
set -eu
cd "$1"
tool=tools/clang-format
if ! "$tool" --version >/dev/null 2>&1; then
    echo "SKIP: no clang-format 14 here (make tools)"
    exit 77
fi
# The files, each behind a hash of its content.
hashes() {
    find src include tests -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.cu' -o -name '*.clh' -o -name '*.cuh' \) |
        sort | xargs sha256sum
}
if [ "${2:-}" = -i ]; then
    hashes | cut -c 67- | xargs "$tool" -i
    exit
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
known=$folder/none
[ -z "${2:-}" ] || known=$2/format-passed-$({ cat .clang-format && "$tool" --version; } | sha256sum | cut -c 1-16)
hashes >"$folder/files"
[ -s "$folder/files" ] || exit 1
touch "$folder/passed"
[ ! -e "$known" ] || cp "$known" "$folder/passed"
grep -vxFf "$folder/passed" "$folder/files" | cut -c 67- >"$folder/new" || true
xargs -r "$tool" --dry-run -Werror --ferror-limit=3 <"$folder/new"
[ -z "${2:-}" ] || cp "$folder/files" "$known"
