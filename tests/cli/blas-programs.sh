#!/bin/sh
# Debian's 24 test programs of the BLAS (libblas-test), as they are, over libuskor-blas.so (LD_PRELOAD; beneath: the machine's
# BLAS, and the reference BLAS) and over libblas.so.3 (in place of the machine's). $2: the build folder.
set -u
programs=$(ls -d /usr/lib/*/blas/xscblat3 2>/dev/null | head -n 1)
programs=${programs%/xscblat3}
preloaded=$2/libuskor-blas.so alternative=$2/blas/alternative
if [ -z "$programs" ] || [ ! -f "$preloaded" ] || grep -q '^USKOR_SANITIZE:[A-Z]*=..*' "$2/CMakeCache.txt"; then
    echo "SKIP: no test programs of the BLAS (Debian's package libblas-test), or no BLAS of ours without sanitizers in $2"
    exit 77
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
export OPENBLAS_NUM_THREADS=1 # threads that spin, beside other tests, take minutes

# run PROGRAM [INPUT]: leaves its output in `text`; its summaries are files.
run() {
    rm -f ./*.out ./*.OUT ./*.SUMM
    if [ $# = 2 ]; then "$programs/$1" <"$programs/$2" >text 2>&1; else "$programs/$1" >text 2>&1; fi
    code=$?
    cat ./*.out ./*.OUT ./*.SUMM >>text 2>/dev/null
    [ $code = 0 ] && grep -q PASS text && ! grep -E 'FAIL|FATAL|SUSPECT|ABANDONED|illegal value|lookup error' text
}

# all WHAT: the 24 programs in the environment that is exported.
all() {
    right=0
    for p in s d c z; do
        for words in "xblat1$p" "xblat2$p ${p}blat2.in" "xblat3$p ${p}blat3.in" "x${p}cblat1" "x${p}cblat2 ${p}in2" \
            "x${p}cblat3 ${p}in3"; do
            # shellcheck disable=SC2086
            if run $words; then right=$((right + 1)); else echo "$1: $words: exit code $code"; tail -n 3 text; fi
        done
    done
    echo "$1: $right of 24"
    [ $right = 24 ] || failed=1
}

(export LD_PRELOAD="$preloaded"; all "preloaded"; exit $failed) || failed=1
if [ -f "$programs/libblas.so.3" ]; then
    (export LD_PRELOAD="$preloaded" LD_LIBRARY_PATH="$programs"; all "preloaded over the reference"; exit $failed) || failed=1
fi
if ldconfig -p 2>/dev/null | grep -q 'libopenblas\.so\.0 '; then
    (export LD_LIBRARY_PATH="$alternative"; all "as libblas.so.3"; exit $failed) || failed=1
fi

# Their small products are ours: a line for each call.
lines=$(LD_PRELOAD=$preloaded USKOR_BLAS_VERBOSE=1 "$programs/xscblat3" <"$programs/sin3" 2>&1 |
    grep -c '^uskor_blas_verbose,exec,cblas_sgemm,.*,uskor,')
[ "$lines" -gt 1000 ] || { echo "of cblas_sgemm's calls $lines were computed here"; failed=1; }
exit $failed
