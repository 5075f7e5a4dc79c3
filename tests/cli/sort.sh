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
sorts '|u1' 4 '\377\0\3\3' '\0\3\3\377'
sorts '|i1' 4 '\377\0\3\200' '\200\377\0\3'
sorts '<i2' 3 '\1\0\377\377\0\200' '\0\200\377\377\1\0'
sorts '>u2' 2 '\1\0\0\377' '\0\377\1\0'
# NaN with the sign bit, NaN, 1, +0, -0, -infinity, infinity
sorts '<f2' 7 '\1\376\1\176\0\74\0\0\0\200\0\374\0\174' '\0\374\0\200\0\0\0\74\0\174\1\176\1\376'
sorts '<u2' 0 '' ''

# Descending: the same turned round, in every byte order and size.
for type in '<i4' '>i4' '<f8' '>u2' '|i1'; do
    size=${type#??}
    { header "$type" '(6,)' && head -c $((6 * size)) "$USKOR"; } >a.npy
    silent sort a.npy -o up.npy --force
    silent sort a.npy -o down.npy --force --reverse
    tail -c $((6 * size)) up.npy | od -An -v -w"$size" -tx1 | tac >expected
    tail -c $((6 * size)) down.npy | od -An -v -w"$size" -tx1 >found
    cmp -s expected found || wrong "sort --reverse of $type"
done

# Pipes: "-" and a FIFO, in and out; nothing is written for what is wrong; the phases' times.
sorts '<i4' 2 '\2\0\0\0\1\0\0\0' '\1\0\0\0\2\0\0\0'
mkdir pipes # other programs have theirs beside
export TMPDIR="$PWD/pipes"
"$USKOR" sort - -o - <a.npy | cmp -s - expected.npy || wrong 'sort - -o - is another result'
mkfifo pipe
cat a.npy >pipe &
"$USKOR" sort pipe -o - | cmp -s - expected.npy || wrong 'sort of a FIFO is another result'
printf 'no array' | "$USKOR" sort - -o - >out 2>err && wrong 'no array was sorted'
[ ! -s out ] && [ "$(wc -l <err)" = 1 ] || wrong "a wrong pipe: $(cat err)"
phases 'reading computing checking writing' sort a.npy -o timed.npy
[ -z "$(ls pipes)" ] || wrong "left behind: $(ls pipes)"
sorts '<i8' 2 '\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200' '\0\0\0\0\0\0\0\200\1\0\0\0\0\0\0\0'

# In place.
silent sort a.npy -o a.npy --force
same a.npy expected.npy

# Each instruction set of this processor has code of its own. The long campaigns have all sizes.
size=--small
[ -z "${USKOR_LONG:-}" ] || size=
for isa in avx2 avx512 neon; do
    USKOR_ISA=$isa "$USKOR" list >/dev/null 2>&1 || continue # not on this processor
    message=$(USKOR_ISA=$isa "$USKOR" check sort $size --device cpu --rung simd)
    [ $? -ne 1 ] || wrong "$isa: $message"
done

# ---- refusals ----

refuses 2 "one axis" sort "$npy/le-f4.npy" -o out.npy
{ header '<c8' '(1,)' && printf '\1\0\2\0\1\0\2\0'; } >c8.npy
refuses 2 "floats and integers of 1 to 8 bytes" sort c8.npy -o out.npy
refuses 2 "only one input can be '-'" dot - - <a.npy
sorts '<i8' 2 '\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200' '\0\0\0\0\0\0\0\200\1\0\0\0\0\0\0\0'
refuses 2 "exists" sort a.npy -o b.npy
refuses 2 "absent.npy" sort absent.npy -o out.npy
refuses 3 "" sort a.npy -o out.npy --device cuda:99
refuses 2 "computes nothing" sort a.npy -o out.npy --device null

finish
