#!/bin/sh
# OpenGL from the command line: its devices or why there are none, its rungs, and the table of technologies.
# $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"

# Without a driver: a reason, and the packages.
mkdir none
expect 0 'opengl: none: ' env __EGL_VENDOR_LIBRARY_DIRS="$folder/none" __EGL_VENDOR_LIBRARY_FILENAMES= USKOR_CACHE=off \
    "$USKOR" devices
says 'install libegl1'
says 'libgl1-mesa-dri'
expect 3 'install libegl1' env __EGL_VENDOR_LIBRARY_DIRS="$folder/none" __EGL_VENDOR_LIBRARY_FILENAMES= USKOR_CACHE=off \
    "$USKOR" check matmul:3 --device opengl:0

"$USKOR" devices >devices 2>&1
if ! grep -q '^opengl:0' devices; then
    grep '^opengl' devices || echo "FAIL: 'uskor devices' does not speak of OpenGL"
    [ "$failures" = 0 ] || finish
    grep -q '^opengl' devices && exit 77
    exit 1
fi
grep -A4 '^opengl:0' devices | grep -q 'OpenGL 4' || wrong "'uskor devices' does not tell the version: $(cat devices)"

# Every rung that has a .glsl file, at sizes that no tile divides, with transposed operands, alpha and beta.
expect 0 '' "$USKOR" check matmul:m=33,n=35,k=18,transa=t,beta=0.5,ldc_pad=1 --device opengl:0
for file in "$1"/src/kernels/matmul/*.glsl; do
    rung=$(sed -n 's/^\/\/ rung: *//p' "$file")
    grep -q "^PASS  opengl:0 matmul    $rung .* [1-9][0-9]* right, 0 wrong" out || wrong "$rung is not right: $(cat out)"
done
expect 0 'PASS' "$USKOR" check matmul:m=17,n=36,k=20,transb=t,lda_pad=4 --device opengl:0 --rung double-buffered
expect 0 'PASS' "$USKOR" check matmul:m=5,n=3,k=4,f64 --device opengl:0 --rung naive

# A rung without one is left out with its reason.
expect 3 'no OpenGL source' "$USKOR" bench matmul:8 --device opengl:0 --rung tensor-split --time 0.001 --store none

# The table of technologies, and a word for those that are absent.
expect 0 'CPU : OpenGL' "$USKOR" bench matmul:24 --technologies --device cpu --device opengl:0 --rung serial \
    --rung naive --rung row-cache --time 0.001 --store none
says 'end to end'
says 'opengl:0 — '
expect 0 '"opengl:0"' "$USKOR" bench matmul:24 --technologies --device opengl:0 --rung naive --time 0.001 --json --store none
finish
