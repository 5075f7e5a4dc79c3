#!/bin/sh
# Which programs the interposing BLAS reaches: each makes some products with it preloaded, and its lines of
# USKOR_BLAS_VERBOSE are counted. A program that the machine lacks is named and passed over. $2: the build folder. PYTHON:
# an interpreter with NumPy, SciPy or PyTorch (else python3).
set -u
blas=$2/libuskor-blas.so
if [ ! -f "$blas" ] || grep -q '^USKOR_SANITIZE:[A-Z]*=..*' "$2/CMakeCache.txt"; then
    echo "SKIP: no BLAS of ours without sanitizers in $2"
    exit 77
fi
python=${PYTHON:-python3}
export OPENBLAS_NUM_THREADS=1
failed=0 reached=0

# reach WHAT PATTERN COMMAND…: the names that WHAT calls, all of which PATTERN matches.
reach() {
    what=$1 pattern=$2
    shift 2
    lines=$(LD_PRELOAD=$blas USKOR_BLAS_VERBOSE=1 timeout 300 "$@" 2>&1 >/dev/null | grep '^uskor_blas_verbose,')
    names=$(echo "$lines" | cut -d, -f3 | sort | uniq -c | awk '{ printf "%s%s %d", sep, $2, $1; sep = ", " }')
    if [ -z "$lines" ] || echo "$lines" | cut -d, -f3 | grep -vqE "$pattern"; then
        echo "FAIL: $what: ${names:-not reached}"
        failed=1
    else
        echo "$what: $names"
        reached=$((reached + 1))
    fi
}

# has WHAT COMMAND…: whether the program is here.
has() {
    what=$1
    shift
    "$@" >/dev/null 2>&1 && return
    echo "not here: $what"
    return 1
}

for interpreter in "$python" /usr/bin/python3; do
    has "NumPy ($interpreter)" "$interpreter" -c 'import numpy' &&
        reach "NumPy ($interpreter)" '^(scipy_)?cblas_[sd](gemm|syrk|gemv|dot)(64_)?$' "$interpreter" -c '
import numpy as np
for t in np.float32, np.float64:
    a = np.arange(900, dtype=t).reshape(30, 30)
    a @ a, a @ a[:, ::-1].copy().T, a.T @ a, np.cov(a), np.inner(a, a), a @ a[0], a[0] @ a[0]'
    has "SciPy ($interpreter)" "$interpreter" -c 'import scipy' &&
        reach "SciPy ($interpreter)" '^(scipy_)?(cblas_)?[sd](gemm|syrk|gemv|dot)(64)?_?$' "$interpreter" -c '
import numpy as np, scipy.linalg.blas as blas
a = np.asfortranarray(np.arange(900.).reshape(30, 30))
blas.dgemm(1.0, a, a, trans_b=1), blas.ssyrk(1.0, a.astype("f")), blas.dgemv(1.0, a, a[0]), blas.ddot(a[0], a[0])'
done
has PyTorch "$python" -c 'import torch' &&
    reach PyTorch '^(sgemm_|scipy_cblas_[sd](gemm|gemv|dot)64_)$' "$python" -c 'import torch; torch.set_num_threads(1); torch.mm(torch.rand(30, 30), torch.rand(30, 30))'
has R Rscript --version &&
    reach R '^d(gemm|syrk|gemv|dot)_$' Rscript -e 'a <- matrix(as.double(1:400), 20); a %*% t(a + 1); crossprod(a)'
has Octave octave-cli --version &&
    reach Octave '^[sd](gemm|syrk|gemv|dot)_$' octave-cli --norc --eval 'a = rand(20); b = rand(20); a * b; a'"'"' * a; single(a) * single(b);'
if [ $reached = 0 ] && [ $failed = 0 ]; then
    echo "SKIP: none of the programs is here"
    exit 77
fi
exit $failed
