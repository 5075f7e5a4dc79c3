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
phases 'computing checking writing' wave --size 8 --steps 3 -o timed.npy
makes plane.npy $((128 + 4 * 4096)) --size 16 --steps 3 --input plane --courant 0.5
makes random.npy $((128 + 4)) --size 1 --steps 2 --input random
# Three steps in a row satisfy the scheme: second order in time, fourth in space, periodic.
for steps in 3 4 5; do
    makes step$steps.npy "" --size 9x8x7 --input random --steps $steps --courant 0.4
done
python3 - <<'PYTHON' || wrong "the steps do not follow from each other"
import struct
X, Y, Z, C2 = 9, 8, 7, 0.4 ** 2
fields = []
for steps in (3, 4, 5):
    data = open(f"step{steps}.npy", "rb").read()
    fields.append(struct.unpack(f"<{X * Y * Z}f", data[-4 * X * Y * Z:]))
before, now, after = fields
at = lambda f, x, y, z: f[((z % Z) * Y + y % Y) * X + x % X]
worst = 0
for z in range(Z):
    for y in range(Y):
        for x in range(X):
            space = -7.5 * at(now, x, y, z)
            for dx, dy, dz in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
                near = at(now, x + dx, y + dy, z + dz) + at(now, x - dx, y - dy, z - dz)
                far = at(now, x + 2 * dx, y + 2 * dy, z + 2 * dz) + at(now, x - 2 * dx, y - 2 * dy, z - 2 * dz)
                space += 4 / 3 * near - far / 12
            worst = max(worst, abs(2 * at(now, x, y, z) - at(before, x, y, z) + C2 * space - at(after, x, y, z)))
size = max(map(abs, after))
assert size > 0.01 and worst < 1e-5 * size, (size, worst)
PYTHON
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
