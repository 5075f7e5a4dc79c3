#!/bin/sh
# uskor sort on files: results, exit codes, messages of one line, and nothing left behind.
# $1: the repository; USKOR: the program.
set -u
npy=$1/tests/data/npy
. "$1/tests/cli/common"

# sorts DESCR COUNT BYTES SORTED: an array of COUNT items, both as printf's escapes for their bytes.
sorts() {
    { header "$1" "($2,)" && printf "$3"; } >a.npy
    { header "$1" "($2,)" && printf "$4"; } >expected.npy
    rm -f b.npy
    silent sort a.npy -o b.npy
    cmp -s b.npy expected.npy || wrong "sort of $2 × $1: another result was expected"
}

# ---- results ----

sorts '<i4' 4 '\3\0\0\0\376\377\377\377\0\0\0\0\1\0\0\0' '\376\377\377\377\0\0\0\0\1\0\0\0\3\0\0\0'
sorts '>i4' 4 '\0\0\0\3\377\377\377\376\0\0\0\0\0\0\0\1' '\377\377\377\376\0\0\0\0\0\0\0\1\0\0\0\3'
sorts '<u4' 3 '\377\377\377\377\2\0\0\0\0\0\0\200' '\2\0\0\0\0\0\0\200\377\377\377\377'
# NaN with the sign bit, 1, +0, -0, -infinity
sorts '<f4' 5 '\1\0\300\377\0\0\200\77\0\0\0\0\0\0\0\200\0\0\200\377' '\0\0\200\377\0\0\0\200\0\0\0\0\0\0\200\77\1\0\300\377'
sorts '>f8' 2 '\77\360\0\0\0\0\0\0\277\360\0\0\0\0\0\0' '\277\360\0\0\0\0\0\0\77\360\0\0\0\0\0\0'
sorts '<u8' 2 '\0\0\0\0\0\0\0\200\1\0\0\0\0\0\0\0' '\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200'
sorts '<f4' 0 '' ''
sorts '<i8' 2 '\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200' '\0\0\0\0\0\0\0\200\1\0\0\0\0\0\0\0'

# In place.
silent sort a.npy -o a.npy --force
same a.npy expected.npy

# Each instruction set of this processor has code of its own. The long campaigns have all sizes.
size=--small
[ -z "${USKOR_LONG:-}" ] || size=
for isa in avx2 avx512; do
    USKOR_ISA=$isa "$USKOR" list >/dev/null 2>&1 || continue # not on this processor
    message=$(USKOR_ISA=$isa "$USKOR" check sort $size --device cpu --rung simd)
    [ $? -ne 1 ] || wrong "$isa: $message"
done

# ---- refusals ----

refuses 2 "one axis" sort "$npy/le-f4.npy" -o out.npy
{ header '<i2' '(2,)' && printf '\1\0\2\0'; } >i2.npy
refuses 2 "holds int16; float32, float64, int32" sort i2.npy -o out.npy
refuses 2 "exists" sort a.npy -o b.npy
refuses 2 "absent.npy" sort absent.npy -o out.npy
refuses 3 "" sort a.npy -o out.npy --device cuda:99
refuses 2 "computes nothing" sort a.npy -o out.npy --device null

finish
