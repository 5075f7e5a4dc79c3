#!/bin/sh
# uskor sort on files: results, exit codes, messages of one line, and nothing left behind.
# $1: the repository; USKOR: the program.
set -u
npy=$1/tests/data/npy
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

wrong() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# refuses CODE WORDS ARGUMENT…: the exit code, one line on standard error that has the words, and no new file.
refuses() {
    code=$1 words=$2
    shift 2
    before=$(ls -A)
    message=$("$USKOR" sort "$@" 2>&1 >/dev/null)
    got=$?
    [ "$got" = "$code" ] || wrong "sort $* left with $got, not $code: $message"
    case $message in
    *"
"*) wrong "sort $* says more than one line: $message" ;;
    "uskor: "*"$words"*) ;;
    *) wrong "sort $* does not say 'uskor: … $words': $message" ;;
    esac
    [ "$(ls -A)" = "$before" ] || wrong "sort $* left a file behind"
}

# header COUNT DESCR: a .npy file's beginning, 128 bytes.
header() {
    text="{'descr': '$2', 'fortran_order': False, 'shape': ($1,), }"
    printf '\223NUMPY\001\000v\000%-117s\n' "$text"
}

# sorts NAME: NAME.npy becomes what NAME.expected holds.
sorts() {
    message=$("$USKOR" sort "$1.npy" -o "$1.sorted.npy" 2>&1) || wrong "sort $1.npy: $message"
    [ -z "$message" ] || wrong "sort $1.npy is not silent: $message"
    cmp -s "$1.sorted.npy" "$1.expected" || wrong "sort $1.npy: another result was expected"
}

# ---- results: each item as its bytes ----

{ header 4 '<i4' && printf '\3\0\0\0\376\377\377\377\0\0\0\0\1\0\0\0'; } >i4.npy
{ header 4 '<i4' && printf '\376\377\377\377\0\0\0\0\1\0\0\0\3\0\0\0'; } >i4.expected
sorts i4
{ header 4 '>i4' && printf '\0\0\0\3\377\377\377\376\0\0\0\0\0\0\0\1'; } >be.npy
{ header 4 '>i4' && printf '\377\377\377\376\0\0\0\0\0\0\0\1\0\0\0\3'; } >be.expected
sorts be
{ header 3 '<u4' && printf '\377\377\377\377\2\0\0\0\0\0\0\200'; } >u4.npy
{ header 3 '<u4' && printf '\2\0\0\0\0\0\0\200\377\377\377\377'; } >u4.expected
sorts u4
# NaN with the sign bit, 1, +0, -0, -infinity
{ header 5 '<f4' && printf '\1\0\300\377\0\0\200\77\0\0\0\0\0\0\0\200\0\0\200\377'; } >f4.npy
{ header 5 '<f4' && printf '\0\0\200\377\0\0\0\200\0\0\0\0\0\0\200\77\1\0\300\377'; } >f4.expected
sorts f4
{ header 2 '>f8' && printf '\77\360\0\0\0\0\0\0\277\360\0\0\0\0\0\0'; } >f8.npy
{ header 2 '>f8' && printf '\277\360\0\0\0\0\0\0\77\360\0\0\0\0\0\0'; } >f8.expected
sorts f8
{ header 2 '<u8' && printf '\0\0\0\0\0\0\0\200\1\0\0\0\0\0\0\0'; } >u8.npy
{ header 2 '<u8' && printf '\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200'; } >u8.expected
sorts u8
{ header 2 '<i8' && printf '\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200'; } >i8.npy
{ header 2 '<i8' && printf '\0\0\0\0\0\0\0\200\1\0\0\0\0\0\0\0'; } >i8.expected
sorts i8
header 0 '<f4' >none.npy
cp none.npy none.expected
sorts none

# In place.
"$USKOR" sort i4.npy -o i4.npy --force || wrong "sort onto itself"
cmp -s i4.npy i4.expected || wrong "sort onto itself: another result was expected"

# Each instruction set has code of its own; an absent one is the best there is.
for isa in avx2 avx512; do
    message=$(USKOR_ISA=$isa "$USKOR" check sort --device cpu --rung simd)
    [ $? -ne 1 ] || wrong "$isa: $message"
done

# ---- refusals ----

refuses 2 "one axis" "$npy/le-f4.npy" -o out.npy
{ header 2 '<i2' && printf '\1\0\2\0'; } >i2.npy
refuses 2 "can be sorted" i2.npy -o out.npy
refuses 2 "exists" i4.npy -o be.npy
refuses 2 "absent.npy" absent.npy -o out.npy
refuses 3 "" i4.npy -o out.npy --device cuda:99
refuses 2 "computes nothing" i4.npy -o out.npy --device null

[ "$failures" -eq 0 ]
