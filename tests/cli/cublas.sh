#!/bin/sh
# The rungs that call cuBLAS, on a CUDA driver and a cuBLAS of host memory (tests/fake_cuda): that they pass sizes,
# pitches and the stream as cuBLAS wants them. $2: the build folder; USKOR: the program.
set -eu
fake=$2/tests/libfake_cuda.so
[ -e "$fake" ] || { echo "no $fake"; exit 77; }
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
export USKOR_LIBCUDA="$fake" USKOR_NVRTC="$fake" USKOR_CUBLAS="$fake" XDG_CACHE_HOME="$cache"
expect() {
    words=$1
    shift
    said=$("$USKOR" check --device cuda:0 --rung cublas "$@" 2>&1) || true
    echo "$said"
    case $said in
    *"$words"*) ;;
    *)
        echo "FAIL: this does not say '$words'"
        exit 1
        ;;
    esac
}

# It multiplies by one, which quiets a signalling NaN: any bits, which transpositions are checked with, are not for it.
expect ' 0 wrong, 16 skipped: it multiplies by one, which changes signalling NaNs: only for input=numbers' --small transpose
problems=
for type in f32 f64 c64 c128; do
    for sizes in rows=1,cols=1 rows=1,cols=37 rows=37,cols=1 rows=31,cols=33 rows=67,cols=129; do
        problems="$problems transpose:$sizes,$type,input=numbers"
    done
done
# shellcheck disable=SC2086 # a list of words
expect '20 right, 0 wrong' $problems
expect 'takes f32, f64, c64 and c128, not u32' transpose:rows=31,cols=33,u32
USKOR_CUBLAS=/nonexistent
expect 'name the file in USKOR_CUBLAS' transpose:rows=31,cols=33

# One launch of a rung in the profiler's range; the first run, which compiles it, is outside. Kernels do not run on this
# driver, and nothing is checked.
unset USKOR_CUBLAS
said=$(FAKE_CUDA_PROFILE=$cache/profile "$USKOR" bench transpose:300 -d cuda:0 -r tiled --profile --store none 2>&1) || {
    echo "FAIL: --profile: $said"
    exit 1
}
case $said in
*'tiled on cuda:0: one launch'*) ;;
*) echo "FAIL: --profile says: $said"; exit 1 ;;
esac
[ "$(wc -l <"$cache/profile")" = 1 ] && grep -qE ': 1 of [2-9][0-9]*$' "$cache/profile" || {
    echo "FAIL: the profiler's range: $(cat "$cache/profile")"
    exit 1
}
code=0
"$USKOR" bench transpose:300 -d cpu --profile --store none >"$cache/out" 2>&1 || code=$?
[ "$code" = 3 ] && grep -q 'only those have' "$cache/out" || { echo "FAIL: --profile on a CPU: $code, $(cat "$cache/out")"; exit 1; }
