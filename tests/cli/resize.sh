#!/bin/sh
# uskor resize on files: sizes, values, exit codes, messages of one line, and nothing left behind.
# $1: the repository; USKOR: the program.
set -u
png=$1/tests/data/png
. "$1/tests/cli/common"

# makes IN OUT ARGUMENT…
makes() {
    input=$1 output=$2
    shift 2
    silent resize "$input" -o "$output" "$@"
}

# "WIDTH HEIGHT DEPTH TYPE" of a PNG file, as numbers.
shape() {
    od -A n -t u1 -j 16 -N 10 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8, $9, $10 }'
}

# is FILE WIDTH HEIGHT: RGBA of 8 bits.
is() {
    [ "$(shape "$1")" = "$2 $3 8 6" ] || wrong "$1 is $(shape "$1"), not $2 $3 8 6"
}

read -r width height rest <<END
$(shape "$png/rgba-8.png")
END

# ---- results ----

for kind in grey-1 grey-8 grey-16 grey-alpha-8 grey-alpha-16 palette-4-transparent palette-8 rgb-8 rgb-16 rgba-8 \
    rgba-16 rgba-8-interlaced; do
    makes "$png/$kind.png" "$kind.png" --scale 2
    is "$kind.png" $((2 * width)) $((2 * height))
done
cmp -s rgba-8.png rgba-8-interlaced.png || wrong "the order of an interlaced picture's rows matters"

makes "$png/rgba-8.png" same.png --scale 1
makes same.png again.png --size "${width}x$height"
cmp -s same.png again.png || wrong "a picture in its own size is not itself"
makes "$png/rgba-8.png" one.png --size 1x1
is one.png 1 1
makes one.png many.png --size 300x7
is many.png 300 7
makes many.png back.png --size 1x1
cmp -s one.png back.png || wrong "a picture of one colour does not keep it"
makes "$png/rgba-8.png" wide.png --size 50x
is wide.png 50 $(((50 * height * 2 + width) / (2 * width)))
makes "$png/rgba-8.png" high.png -S x50
is high.png $(((50 * width * 2 + height) / (2 * height))) 50
# Exact halves go up, as sizes are computed in integers.
makes one.png tall.png --size 10x15
makes tall.png half.png --size 333x
is half.png 333 500
makes tall.png half.png --size x1 --force
is half.png 1 1
makes one.png flat.png --size 50x20
for row in '0.29 15 6' '.29 15 6' '2.9e-1 15 6' '29e-2 15 6' '0.290000000000000000000000001 15 6' '0.17 9 3' '0.57 29 11' \
    '1e-40 1 1' '1e0 50 20' '0.01 1 1' '+1.15 58 23'; do
    set -- $row
    makes flat.png scaled.png --scale "$1" --force
    is scaled.png "$2" "$3"
done
refuses 2 "each side may be 1 to 1000000" resize flat.png -o x.png -s 1e300

# What the file says beside its pixels goes along; a rotation is said.
expect 0 "its Exif orientation (6) is copied, not applied to the pixels" \
    "$USKOR" resize "$png/rgb-8-colour.png" -o colour.png --scale 2
for chunk in gAMA cHRM iCCP cICP mDCV cLLI pHYs eXIf; do
    grep -qa "$chunk" colour.png || wrong "$chunk is not copied"
done
expect 0 "not copied, as damaged or not for RGB pixels: iCCP" \
    "$USKOR" resize "$png/grey-8-profile.png" -o profile.png --scale 2
phases 'reading computing checking writing' resize "$png/rgb-8.png" -o timed.png --scale 2
refuses 2 "is an animated PNG file" resize "$png/animated.png" -o x.png -s 2

makes "$png/rgba-8.png" least.png -s 0.000001
is least.png 1 1
makes "$png/rgba-8.png" odd.png -s 1.7
makes "$png/rgba-8.png" odd.png -s 1.7 --force
cp same.png self.png
makes self.png self.png --force --scale 2
cmp -s self.png rgba-8.png || wrong "a picture that replaces itself is another"
for device in opencl:0 cuda:0; do
    if "$USKOR" resize "$png/rgba-8.png" -o "$device.png" -s 2 -d "$device" 2>/dev/null; then
        cmp -s "$device.png" rgba-8.png || wrong "$device makes another picture"
    fi
done

# Each instruction set of this processor has code of its own. The long campaigns have all sizes.
size=--small
[ -z "${USKOR_LONG:-}" ] || size=
for isa in base avx2 avx512 neon; do
    USKOR_ISA=$isa "$USKOR" list >/dev/null 2>&1 || continue # not on this processor
    message=$(USKOR_ISA=$isa "$USKOR" check resize $size --rung simd) || wrong "$isa: $message"
done

# Weights of 1/4 along one axis and of 1/128 along the other: a texture unit's products of them are not exact.
expect 3 '1 skipped: GPUs round the weights' "$USKOR" check resize:width=64,height=87,out_width=128,out_height=64 --rung texture
expect 0 'PASS' "$USKOR" check resize:width=34,height=18,out_width=136,out_height=72 --rung texture

# ---- refusals ----

refuses 2 "needed" resize "$png/rgb-8.png"
refuses 2 "either --scale or --size" resize "$png/rgb-8.png" -o x.png
refuses 2 "not both" resize "$png/rgb-8.png" -o x.png -s 2 -S 3x3
refuses 2 "ends in .png; this is 'x.jpg'" resize "$png/rgb-8.png" -o x.jpg -s 2
for size in 3 x 0x3 3x0 3x3x3 -1x3 1000001x1 ax3; do
    refuses 2 "--size takes 640x480" resize "$png/rgb-8.png" -o x.png "--size=$size"
done
for scale in 0 -2 x nan inf; do
    refuses 2 "--scale takes a factor" resize "$png/rgb-8.png" -o x.png "--scale=$scale"
done
refuses 2 "exists" resize "$png/rgb-8.png" -o same.png -s 2
refuses 2 "none.png" resize none.png -o x.png -s 2
refuses 2 "" resize "$png/../npy/le-f4.npy" -o x.png -s 2
refuses 2 "each side may be 1 to 1000000" resize "$png/rgb-8.png" -o x.png -s 1e9
# Before the work: this one would take minutes.
expect 2 "exists" timeout 20 "$USKOR" resize "$png/rgb-8.png" -o same.png -S 20000x20000
expect 2 "its folder does not exist" timeout 20 "$USKOR" resize "$png/rgb-8.png" -o no/x.png -S 20000x20000
silent resize "$png/rgb-8.png" -o CAPITALS.PNG -s 2
refuses 2 "cpu" resize "$png/rgb-8.png" -o x.png -s 2 -d cpy
refuses 3 "cuda" resize "$png/rgb-8.png" -o x.png -s 2 -d cuda:77

finish
