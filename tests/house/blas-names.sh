#!/bin/sh
# The BLAS that interposes defines the names of src/blas/names.h, the two variables of the reference CBLAS and its mark, and
# nothing else; it calls xerbla by the loader. The Debian alternative needs libopenblas.so.0, never a libblas. $1: the
# repository, $2: the build folder.
set -eu
preloaded=$2/libuskor-blas.so alternative=$2/blas/alternative/libblas.so.3
if [ ! -f "$preloaded" ] || [ ! -f "$alternative" ]; then
    echo "SKIP: no libuskor-blas.so and libblas.so.3 in $2"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
${CC:-cc} -I"$1/src" -E -P "$1/src/blas/names.c" | grep -o '"[^"]*"' | tr -d '"' | grep '^[a-z]' >"$folder/names"
printf '%s\n' RowMajorStrg CBLAS_CallFromC uskor_blas_interposes >>"$folder/names"
sort "$folder/names" >"$folder/listed"
[ "$(wc -l <"$folder/listed")" -gt 100 ] || { echo "the table of names is not read"; exit 1; }
for library in "$preloaded" "$alternative"; do
    nm -D --defined-only "$library" | awk '$2 != "A" && $3 !~ /^__(start|stop)_/ { print $3 }' | sort >"$folder/shown"
    diff "$folder/listed" "$folder/shown" || { echo "$library: listed (<) and shown (>) names differ"; exit 1; }
    nm -D --undefined-only "$library" | grep -q ' w xerbla_$' || { echo "$library: xerbla_ is not the program's"; exit 1; }
    ! readelf -dW "$library" | grep -E 'SYMBOLIC|NEEDED.*\[libblas' || { echo "$library: see above"; exit 1; }
    readelf -dW "$library" | grep -q NODELETE || { echo "dlclose would unload it under its workers"; exit 1; }
done
readelf -dW "$alternative" | grep -q 'SONAME.*\[libblas\.so\.3\]' || { echo "$alternative: its soname"; exit 1; }
readelf -dW "$alternative" | grep -q 'NEEDED.*\[libopenblas\.so\.0\]' || { echo "$alternative: not over OpenBLAS"; exit 1; }
! readelf -dW "$alternative" | grep -E 'R(UN)?PATH.*/' || { echo "$alternative: has a path of the build"; exit 1; }
