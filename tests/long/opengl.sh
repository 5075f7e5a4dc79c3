#!/bin/sh
# Every rung with a .glsl file over the small edge cases of its kernel and all types, with tunables drawn from another
# seed every day. Left out where there is no OpenGL. USKOR: the program.
set -u
"$USKOR" devices | grep '^opengl' | tee /dev/stderr | grep -q '^opengl:0' || exit 77
exec "$USKOR" check matmul --small --device opengl:0 --sample-seed "$(date +%j)"
