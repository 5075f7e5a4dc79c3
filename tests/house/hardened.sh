#!/bin/sh
# What runs strangers' data is built hardened: position-independent, its tables of functions read-only, its stack guarded and
# not executable, its copies of known sizes checked; and it looks for libraries in named folders only, as built and as installed.
# $2: the build folder.
set -u
grep -qE '^USKOR_(SANITIZE:[A-Z]*=.|COVERAGE:BOOL=ON)' "$2/CMakeCache.txt" && { echo 'a build with instruments'; exit 77; }
installed=$(mktemp -d) || exit 1
trap 'rm -rf "$installed"' EXIT
DESTDIR=$installed cmake --install "$2" >/dev/null || exit 1
wrong=0 looked=0
refuse() {
    echo "$1: $2"
    wrong=1
}
for file in "$2"/uskor "$2"/libuskor.so "$2"/libuskor-blas.so "$2"/blas/alternative/libblas.so.3 "$2"/libuskor_*.so \
    $(find "$installed" -type f \( -path '*/bin/uskor' -o -name '*.so*' ! -name '*.debug' \)); do
    [ -e "$file" ] || continue
    name=${file##*/}
    looked=$((looked + 1))
    readelf -hW "$file" | grep -q 'Type: *DYN' || refuse "$name" 'not position-independent'
    readelf -lW "$file" | grep -q GNU_RELRO || refuse "$name" 'its tables are not read-only (relro)'
    readelf -lW "$file" | grep 'GNU_STACK' | grep -q 'RWE' && refuse "$name" 'its stack is executable'
    readelf -dW "$file" | grep -E 'R(UN)?PATH' | grep -qE '\[:|::|:\]' && refuse "$name" 'it looks for libraries in the current folder (RUNPATH)'
    case $name in
    libuskor_cub.so) continue ;; # nvcc's
    esac
    readelf -dW "$file" | grep -qE 'BIND_NOW|FLAGS_1.*NOW' || refuse "$name" 'functions are bound when they are first called'
    case $name in
    libuskor_*) continue ;;
    esac
    readelf -sW --dyn-syms "$file" | grep -q '__stack_chk_fail' || refuse "$name" 'no guard of the stack'
    readelf -sW --dyn-syms "$file" | grep -q '__[a-z]*_chk@' || refuse "$name" 'copies are not checked (_FORTIFY_SOURCE)'
done
[ $looked -ge 6 ] || { echo "only $looked programs and libraries were found"; wrong=1; }
exit $wrong
