#!/bin/sh
# uskor wave: results, exit codes, messages of one line, and nothing left behind.
# $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"

# makes OUT BYTES ARGUMENT…: BYTES: of the file, or empty.
makes() {
    output=$1 bytes=$2
    shift 2
    silent wave -o "$output" "$@"
    [ -z "$bytes" ] || [ "$(wc -c <"$output")" = "$bytes" ] || wrong "wave -o $output $*: not $bytes bytes"
}

makes field.npy $((128 + 4 * 20 * 16 * 12)) --size 20x16x12 --steps 9
head -c 128 field.npy | grep -q "'shape': (12, 16, 20)" || wrong "the axes are not z, y, x"
makes plane.npy $((128 + 4 * 4096)) --size 16 --steps 3 --input plane --courant 0.5
makes random.npy $((128 + 4)) --size 1 --steps 2 --input random
# A pulse that has not reached the whole grid: its errors are where it is.
makes pulse.npy $((128 + 4 * 96 * 96 * 96)) --size 96 --steps 12
makes slice.png "" --size 24x18x10 --steps 6
head -c 8 slice.png | od -An -tx1 | grep -q "89 50 4e 47" || wrong "slice.png is no PNG"
makes field.npy $((128 + 4 * 512)) --size 8 --steps 1 --force
refuses 2 "exists" wave -o field.npy --size 8
# Before the work: these would take minutes.
expect 2 "exists" timeout 20 "$USKOR" wave -o field.npy --size 192 --steps 9999
expect 2 "exists" timeout 20 "$USKOR" wave -o slice.png --size 192 --steps 9999
expect 2 "its folder does not exist" timeout 20 "$USKOR" wave -o no/field.npy --size 192 --steps 9999
refuses 2 "a result is needed" wave
refuses 2 "ends in .npy or .png" wave -o field.txt
refuses 2 "--size takes" wave -o a.npy --size 8x8
refuses 2 "--size takes" wave -o a.npy --size 0
refuses 2 "--steps takes" wave -o a.npy --steps 0
refuses 2 "--courant takes" wave -o a.npy --courant 0.6
refuses 2 "--input takes" wave -o a.npy --input square
refuses 2 "no input file" wave in.npy -o a.npy
finish
