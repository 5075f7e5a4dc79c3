#!/bin/sh
# uskor try: what a verdict says of headers, types, problems that were not tried, races and cores; no honest file is refused.
. "$1/tests/cli/common"
fast='--time 0.005 --kernel-only --store none --limit 150s'
cheats=$1/tests/cheats honest=$1/tests/honest
export USKOR_NVDISASM=none USKOR_NVRTC=none # no advice is read here

# A call that takes long gives a sign of life; it is the file's own that has to.
cat >slow.c <<'C'
#include <unistd.h>
void transpose(const float *in, float *out, long rows, long cols)
{
    if (rows == 700)
        usleep(700000);
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}
C
aside 0 'place' "$USKOR" try transpose slow.c transpose:700 --beside serial $verified --time 0.005 --kernel-only --store none --limit 2s

# Larger cases that would take minutes of the processor's time are left out, and their number is said. Quadratic sorts are
# in tests/long/own-rungs.sh.
cat >burns.c <<'C'
#include <time.h>
void transpose(const float *in, float *out, long rows, long cols)
{
    for (clock_t begun = clock(); rows * cols > 20000 && clock() - begun < CLOCKS_PER_SEC / 3;)
        continue;
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}
C
expect 0 'it takes too long for' "$USKOR" try transpose burns.c transpose:64 --beside serial $fast

# beta = 0 and rows of C that are longer than needed: the formula as it stands is right, and who clears too much is wrong.
padded=matmul:m=64,n=48,k=32,ldc_pad=5
expect 0 'place' "$USKOR" try matmul "$honest/matmul-formula.c" $padded --beside serial $verified $fast
expect 1 'compared are wrong' "$USKOR" try matmul "$cheats/matmul-clears-c.c" $padded --beside serial $fast
# Factors near 1 are tried on functions without transpositions, too, and before there is a lack of time.
expect 1 'matmul 43 × 39 × 47, alpha=1.0000000002' "$USKOR" try matmul "$cheats/matmul-nearly-one.c" matmul:64 --beside serial $fast

# Nothing is said to be right that was not tried: a header that refuses a kind of data hides a wrong answer from the edge cases.
cat >random.c <<'C'
// args: a, b, result, n
// require: input == 0, random inputs alone
void dot(const float *a, const float *b, double *result, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) {
        double product = (double)a[i] * b[i];
        sum += product == product ? product : 0;
    }
    *result = sum;
}
C
expect 0 'edge cases that it does not serve, the last one as: random inputs alone' "$USKOR" try dot random.c dot:1000 --beside serial $fast
expect 1 'was neither tried nor timed on matmul:m=64' "$USKOR" try matmul "$honest/matmul-formula.c" matmul:m=64,n=48,k=32,transa=t --beside serial $verified $fast
says 'no transposed factors'

# The header of a file in C is read, or refused with its line.
expect 0 'place' "$USKOR" try matmul "$honest/matmul-header.c" matmul:64 --beside serial --verified $fast
expect 1 'it takes rows in pairs' "$USKOR" try matmul "$honest/matmul-header.c" matmul:65 --beside serial --verified $fast
printf '// rung: mine\n// tune: B = 8 in 8 16\nvoid transpose(const float *in, float *out, long rows, long cols) { }\n' >tuned.c
refuses 2 "tuned.c:2: 'tune:' is for the kernels of devices" try transpose tuned.c
printf '// args: in, out, rows, cols\n// require: rows == cols\nvoid transpose(const float *in, float *out, long rows, long cols) { }\n' >reason.c
refuses 2 "reason.c:2: 'require:' says a condition and a reason" try transpose reason.c
printf '// args: in, out, rows, cols\n// require: height == 3, none\nvoid transpose(const float *in, float *out, long rows, long cols) { }\n' >unknown.c
refuses 2 'unknown.c:2: ' try transpose unknown.c

# Elements of a type that the kernel lacks.
cat >double.c <<'C'
void wave(const double *before, const double *now, double *after, long nx, long ny, long nz, double courant) { after[0] = now[nx * ny * nz - 1] - before[0] * courant; }
C
expect 1 'its elements are of 8 bytes' "$USKOR" try wave double.c wave:nx=9,ny=9,nz=9,steps=2 $fast
printf '#include <stdlib.h>\nstatic int less(const void *a, const void *b) { return *(const short *)a - *(const short *)b; }\nvoid sort(short *data, long n) { qsort(data, n, 2, less); }\n' >short.c
expect 0 'short.c on cpu: ' "$USKOR" try sort short.c sort:n=300,i16 $verified $fast # few rungs know them
printf '#include <complex.h>\nvoid sort(double complex *data, long n) { data[n] = 1; }\n' >complex.c
expect 1 'its elements are of 16 bytes' "$USKOR" try sort complex.c sort:n=300 $fast
echo 'void dot(const int *a, const int *b, double *result, long n) { *result = a[n] * b[n]; }' >integers.c
expect 1 'its elements are signed integers' "$USKOR" try dot integers.c dot:1000 $fast
expect 0 'place' "$USKOR" try transpose "$honest/transpose-complex.c" transpose:64,c128 --beside serial $verified $fast

# One core hides the races of threads.
if command -v taskset >/dev/null; then
    "$USKOR" try --new transpose -o one.c 2>err || wrong "$(cat err)"
    expect 0 'one core: races do not show' taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" "$USKOR" try transpose one.c transpose:64x48 --beside serial $fast
fi

if "$USKOR" devices | grep -q '^opencl:0'; then
    on="$fast --device opencl:0 --beside naive"
    # shellcheck disable=SC2086 # words
    # In floats alone: the cheats that do so in every type are judged by tests/long/cheats.sh.
    cat >barrier.cl <<'CL'
// require: n <= 64, it is for small ones
__kernel void matmul(__global const float *A, __global const float *B, __global float *C, int N)
{
    __local float a[16][16], b[16][16];
    int i = get_local_id(0), j = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < N; t += 16) {
        a[j][i] = row < N && t + i < N ? A[row * N + t + i] : 0;
        b[j][i] = col < N && t + j < N ? B[(t + j) * N + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int l = 0; l < 16; l++)
            sum += a[j][l] * b[l][i];
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
CL
    expect 1 'items race: lines ' env POCL_MAX_PTHREAD_COUNT=1 "$USKOR" try matmul barrier.cl matmul:64 $on
    sed 's/ELEMENT/float/g; s|^// needs:.*|// require: element_bytes == 4 \&\& element_kind == 2 \&\& input == 0 \&\& n < 4000, floats|' \
        "$cheats/dot-group-order.cl" >order.cl
    expect 1 'FAIL' env POCL_MAX_PTHREAD_COUNT=1 "$USKOR" try dot order.cl dot:1000 $fast --device opencl:0 --beside tree
    expect 0 'place' "$USKOR" try transpose "$honest/transpose-course.cl" transpose:64 --verified $on
    expect 0 'place' "$USKOR" try transpose "$honest/transpose-author.cl" transpose:64 --verified $on
    # Functions of OpenCL C that no rung calls; a race of items in global memory, in a product that is right in their order.
    expect 0 'clear' "$USKOR" try dot "$honest/dot-builtin.cl" dot:3000 --races --store none
    expect 0 'clear' "$USKOR" try resize "$honest/resize-uchar4.cl" resize:width=20,height=17 --races --store none
    expect 0 'clear' "$USKOR" try transpose "$honest/transpose-vectors.cl" transpose:32x64 --races --store none
    expect 0 'clear' "$USKOR" try transpose "$honest/transpose-async.cl" transpose:32x64 --races --store none
    expect 0 'clear' "$USKOR" try matmul "$honest/matmul-two-buffers.cl" matmul:m=17,n=9,k=31 --races --store none
    expect 0 'race 0' "$USKOR" try transpose "$cheats/transpose-marching.cl" transpose:130x70 --races --store none
    expect 0 'race 0' "$USKOR" try dot "$cheats/dot-chain.cl" dot:1000 --races --store none
    expect 0 'race 0' "$USKOR" try dot "$cheats/dot-middle-item.cl" dot:1000 --races --store none
    expect 0 'order 0' "$USKOR" try transpose "$cheats/transpose-middle-group.cl" transpose:16x48 --races --store none
    expect 0 'order 0' "$USKOR" try transpose "$cheats/transpose-middle-item.cl" transpose:130x70 --races --store none
    expect 0 'update 0' "$USKOR" try dot "$cheats/dot-lost-updates.cl" dot:1000 --races --store none
    expect 0 'update 0' "$USKOR" try matmul "$cheats/matmul-lost-updates.cl" matmul:16 --races --store none
    # Attributes, and macros that stand for them, before __kernel and behind it; a hint to a loop.
    expect 0 'clear' "$USKOR" try transpose "$honest/transpose-pragma.cl" transpose:64 --races --store none
    cat >macro.cl <<'CL'
#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))
__kernel void transpose(__global const float *, __global float *, int, int);
GROUP(16, 16) __kernel GROUP(16, 16)
void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    __attribute__((opencl_unroll_hint(1)))
    for (int x = get_global_id(0), y = get_global_id(1); x < cols && y < rows; x = cols)
        out[x * rows + y] = in[y * cols + x];
}
CL
    expect 0 'clear' "$USKOR" try transpose macro.cl transpose:64 --races --store none
    # What the search cannot run is not said to be without races.
    cat >vectors.cl <<'CL'
// require: rows <= 64 && cols <= 64, it is for small ones
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int x = get_global_id(0), y = get_global_id(1);
    float8 one = 0;
    if (x >= cols || y >= rows)
        return;
    one.s3 = in[y * cols + x];
    out[x * rows + y] = one.s3;
}
CL
    expect 0 'not searched for races' "$USKOR" try transpose vectors.cl transpose:64 $on
    echo '__kernel void dot(__global const int *a, __global const int *b, __global double *result, long n) { *result = a[0] * b[0] * n; }' >integers.cl
    expect 1 'its elements are signed integers' "$USKOR" try dot integers.cl dot:1000 $fast --device opencl:0 --beside tree
fi
finish
