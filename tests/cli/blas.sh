#!/bin/sh
# The interposing BLAS over a library that this test makes: which calls a tuned file lets it compute, what it passes on, and
# that it refuses 64-bit integers under the plain names; in Python's manner, all libraries are local. $2: the build folder.
set -u
blas=$2/libuskor-blas.so
if [ ! -f "$blas" ] || grep -q '^USKOR_SANITIZE:[A-Z]*=..*' "$2/CMakeCache.txt"; then
    echo "SKIP: no BLAS of ours without sanitizers in $2"
    exit 77
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# A BLAS that only says that it was called.
cat >beneath.c <<'C'
#include <stdio.h>
void dgemm_(const char *ta, const char *tb, const INT *m);
void dgemm_(const char *ta, const char *tb, const INT *m) { printf("beneath %c%c %ld\n", *ta, *tb, (long)*m); }
double ddot_(const INT *n, const double *x, const INT *incx, const double *y, const INT *incy);
double ddot_(const INT *n, const double *x, const INT *incx, const double *y, const INT *incy)
{
    double sum = 0;
    for (INT i = 0; i < *n; i++)
        sum += x[i * *incx] * y[i * *incy];
    return sum;
}
void dgemm_batch_strided_(void);
void dgemm_batch_strided_(void) { puts("a batch of OpenBLAS's"); }
const char *openblas_get_corename(void);
const char *openblas_get_corename(void) { return CORE; }
C
cat >program.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words)
{
    static double a[512 * 512], c[512 * 512];
    const long n = atol(words[3]);
    const char *ta = count > 4 ? words[4] : "T";
    const double one = 1, zero = 0;
    void *beneath = dlopen(words[1], RTLD_NOW | RTLD_LOCAL), *blas = dlopen(words[2], RTLD_NOW | RTLD_LOCAL);
    void (*gemm)(const char *, const char *, const long *, const long *, const long *, const double *, const double *,
                 const long *, const double *, const long *, const double *, double *, const long *) = dlsym(blas, "dgemm_");
    void (*batch)(const char *, const char *, const long *, const long *, const long *, const double *, const double *,
                  const long *, const long *, const double *, const long *, const long *, const double *, double *,
                  const long *, const long *, const long *) = dlsym(blas, "dgemm_batch_strided_");
    const long step = 0, two = 2;
    if (count > 5) {
        batch(ta, "N", &n, &n, &n, &one, a, &n, &step, a, &n, &step, &zero, c, &n, &step, &two);
        return 0;
    }
    a[0] = 3;
    if (getenv("ALSO"))
        dlopen(getenv("ALSO"), RTLD_NOW | RTLD_LOCAL);
    for (int i = 0; i < 2; i++) {
        gemm(ta, "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
        if (getenv("LATER"))
            dlopen(getenv("LATER"), RTLD_NOW | RTLD_LOCAL);
    }
    if (c[0] == 9)
        puts("here");
    return !beneath;
}
C
# make NAME INT CORE: the library NAME, whose kernels are OpenBLAS's of that core.
make() {
    ${CC:-cc} "-DINT=$2" "-DCORE=\"$3\"" -shared -fPIC -o "lib$1.so" beneath.c
}
make thirtytwo int Haswell && make sixtyfour long Haswell && make wide int SkylakeX && ${CC:-cc} -o program program.c -ldl || exit 1

# expect WHAT OUTPUT COMMAND…
expect() {
    what=$1 wanted=$2
    shift 2
    found=$("$@" 2>&1 | tr '\n' ';')
    case $found in
    $wanted) ;;
    *) echo "FAIL: $what: '$found', not '$wanted'"; failed=1 ;;
    esac
}

# By columns T, N is by rows A·B', which runs here on any processor.
export USKOR_TUNED=none
expect 'a small product' 'here;' ./program ./libthirtytwo.so "$blas" 40
expect 'A·B over kernels for AVX2' 'here;' ./program ./libthirtytwo.so "$blas" 40 N
# Kernels for AVX-512 are faster there, but on Intel's processors, which have a table of their own.
wanted='here;'
! grep -q avx512vl /proc/cpuinfo || grep -q GenuineIntel /proc/cpuinfo || wanted='beneath NN 40;beneath NN 40;'
expect 'A·B over kernels for AVX-512' "$wanted" ./program ./libwide.so "$blas" 40 N
expect 'A·B with AVX2 over kernels for AVX-512' 'here;' env USKOR_ISA=avx2 ./program ./libwide.so "$blas" 40 N
expect 'a larger one' 'beneath TN 300;beneath TN 300;' ./program ./libthirtytwo.so "$blas" 300
expect 'a flag that only the one beneath knows' 'beneath RN 40;beneath RN 40;' ./program ./libthirtytwo.so "$blas" 40 R
expect "a batch, not by OpenBLAS's own" 'beneath NN 300;beneath NN 300;' ./program ./libthirtytwo.so "$blas" 300 N batch
expect '64-bit integers' 'uskor-blas: *libsixtyfour.so takes 64-bit integers*;beneath TN 40;beneath TN 40;' \
    ./program ./libsixtyfour.so "$blas" 40
expect 'one of 32-bit integers beside it' \
    'uskor-blas: *libsixtyfour.so takes 64-bit integers*all calls go to *libthirtytwo.so*;beneath TN 300;beneath TN 300;' \
    env ALSO=./libthirtytwo.so ./program ./libsixtyfour.so "$blas" 300
expect 'a small product over both' 'uskor-blas: *libsixtyfour.so takes 64-bit integers*all calls go to *libthirtytwo.so*;here;' \
    env ALSO=./libthirtytwo.so ./program ./libsixtyfour.so "$blas" 40
expect 'one of 32-bit integers that is loaded later' \
    'uskor-blas: *passed on;uskor-blas: *all calls go to *libthirtytwo.so*;beneath TN 40;here;' \
    env LATER=./libthirtytwo.so ./program ./libsixtyfour.so "$blas" 40
expect 'a report' 'uskor_blas_verbose,exec,dgemm_,col,tn,40x40x40,uskor,*here;' \
    env USKOR_BLAS_VERBOSE=1 ./program ./libthirtytwo.so "$blas" 40
expect 'a device that is not here' 'uskor-blas: USKOR_BLAS_DEVICE=cuda:77: *;here;' \
    env USKOR_BLAS_DEVICE=cuda:77 ./program ./libthirtytwo.so "$blas" 40

# A device that computes on this CPU; small products never go there.
if "$USKOR" devices --json 2>/dev/null | grep -q '"opencl:0"'; then
    expect 'a product on a device' 'uskor_blas_verbose,exec,dgemm_,col,tn,512x512x512,uskor:opencl:0,*here;' \
        env USKOR_BLAS_DEVICE=opencl:0 USKOR_BLAS_VERBOSE=1 ./program ./libthirtytwo.so "$blas" 512
    expect 'a small one beside a device' 'here;' env USKOR_BLAS_DEVICE=opencl:0 ./program ./libthirtytwo.so "$blas" 40
fi

# Of this very machine, and so many threads, as uskor tune writes it.
"$USKOR" tune -d cpu --time 5 --file measured matmul:m=300,n=300,k=300,transb=t,f64 >log 2>&1 || { cat log; exit 1; }
sed 's/"ns": {.*/"ns": {"packed": 100, "openblas": 200}}/' measured >faster
sed 's/"ns": {.*/"ns": {"packed": 200, "openblas": 100}}/' measured >slower
sed 's/"device": "[^"]*"/"device": "another"/' faster >elsewhere
expect 'measured as faster' 'here;' env USKOR_TUNED="$PWD/faster" ./program ./libthirtytwo.so "$blas" 300
expect 'measured as slower' 'beneath*' env USKOR_TUNED="$PWD/slower" ./program ./libthirtytwo.so "$blas" 300
expect 'measured on another machine' 'beneath*' env USKOR_TUNED="$PWD/elsewhere" ./program ./libthirtytwo.so "$blas" 300
expect 'a size that was not measured' 'beneath*' env USKOR_TUNED="$PWD/faster" ./program ./libthirtytwo.so "$blas" 130
exit $failed
