// rung:    matrix-vector
// idea:    one row or one column of results: every number of the matrix is read once, at the memory's rate
// tune:    SPREAD = 0 in 0 1 2 4 8; SPANS = 0 in 0 1 2 4 8 16 32 64 128; CLUSTER = 0 in 0 1 2 4 8; WIDE = 0 in 0 1 2 4
// require: element_bytes <= 4, works on float and elements of 16 bits only
// require: compute >= 9.0, needs thread block clusters, which GPUs have from compute capability 9.0 on
// require: m <= 8 || n <= 8, computes at most eight rows or columns of results
// takes:   result f16 bf16

// With n = 1 the matrix is op(A) and the vector op(B); with m = 1 the matrix is op(B) transposed, and the vector op(A).
// A line is the part of the matrix that one result needs.
//
// If lines lie along memory, a warp takes four of them, so that an element of the vector is used for four. Otherwise a
// warp takes WIDE times 32 adjacent lines.
//
// SPREAD warps share the depth (all eight if lines lie across memory). CLUSTER groups then add their sums through
// shared memory, and SPANS clusters through scratch memory (arrivals.cuh), always in the order of the depth.
//
// With 2 to 8 rows or columns, VECTORS of them, each element of the matrix is used for as many vectors
// (few_vectors.cuh).
//
// PAIR elements of 16 bits are loaded at once: neighbours of a line, or of two lines that lie across memory. With 2,
// rows begin an even number of elements apart; slices are even, and so is the number of lines across memory.

#if ELEMENT_HALF
#include "kernels/matmul/half.cuh"
#else
typedef float element, outcome;
#define narrow(value) (value)
#define widen(number) (number)
#endif

#include "kernels/matmul/arrivals.cuh"

#include "kernels/matmul/cluster.cuh"

#if WIDE == 0
#undef WIDE
#define WIDE 4
#endif
#ifndef VECTORS
#define VECTORS 1
#endif
#ifndef PAIR
#define PAIR 1
#endif
#ifndef ALONG_MEMORY
#define ALONG_MEMORY 1 // how lines lie
#endif
#ifndef PAST_CACHES
#define PAST_CACHES 0
#endif
#define WARPS 8
#define LINES 4  // of a warp, along memory
#define LOADS 16 // of an item, in flight
#define MOST 128 // lines of a group: 4 · WARPS / spread of those along memory, 32 · WIDE others

struct vectors {
    const element *matrix, *vector;
    outcome *result;
    long lines, stride, vector_step, result_step;
    long vector_across, result_across; // from one vector to the next
};

// A matrix larger than the last-level cache is read past the first-level cache, which is left to the vector. Loads with
// that hint also leave the last-level cache soon, so a smaller matrix goes without.
#if PAST_CACHES
#define LOAD "ld.global.nc.L1::no_allocate"
#else
#define LOAD "ld.global.nc"
#endif
#if PAIR == 2
typedef uint word; // the first of the two in its low half
#else
typedef element word;
#endif

// ALIGNED: at a multiple of a word; a caller's array may begin at any element.
template <bool ALIGNED = true> static __device__ __forceinline__ word load_once(const element *at)
{
    word value;
#if PAIR == 2
    if (!ALIGNED)
        return at[0] | (uint)at[1] << 16;
    asm volatile(LOAD ".u32 %0, [%1];" : "=r"(value) : "l"(at));
#elif ELEMENT_HALF
    asm volatile(LOAD ".u16 %0, [%1];" : "=h"(value) : "l"(at));
#else
    asm volatile(LOAD ".f32 %0, [%1];" : "=f"(value) : "l"(at));
#endif
    return value;
}

static __device__ __forceinline__ float part_of(word value, int part)
{
#if PAIR == 2
    return widen((element)(value >> 16 * part));
#else
    return widen(value);
#endif
}

static __device__ __forceinline__ void store(outcome *at, float sum, float alpha, float beta)
{
#if ELEMENT_HALF && !RESULT
    *at = narrow(alpha * sum + (beta == 0 ? 0 : beta * widen(*at)));
#else
    *at = alpha * sum + (beta == 0 ? 0 : beta * *at);
#endif
}

#if VECTORS > 1
#include "kernels/matmul/few_vectors.cuh"
#else

// Adds matrix[k + step · i] · vector[k + step · i] for i below LOADS / COUNT, for COUNT words: of one line each
// (ALONG), of depths k and k + 1, or of two lines. CHECKED skips depths beyond `to`.
template <bool CHECKED, bool ALONG, bool ALIGNED, int COUNT>
static __device__ __forceinline__ void add_some(float (&sums)[COUNT][PAIR], const element *const (&at)[COUNT],
                                                const element *vector, long vector_step, long matrix_step, long step,
                                                long k, long to)
{
    const int AHEAD = LOADS / COUNT;
    word x[AHEAD][COUNT];
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
#pragma unroll
        for (int line = 0; line < COUNT; line++) {
            const element *from = at[line] + (k + step * i) * matrix_step;
            if (CHECKED && ALONG && k + step * i + PAIR > to)
                x[i][line] = k + step * i < to ? *from : 0;
            else if (!CHECKED || k + step * i < to)
                x[i][line] = load_once<ALIGNED>(from);
        }
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
#pragma unroll
        for (int part = 0; part < PAIR; part++) {
            const long depth = k + step * i + (ALONG ? part : 0);
            if (CHECKED && depth >= to)
                continue;
            const float y = widen(__ldg(vector + depth * vector_step));
#pragma unroll
            for (int line = 0; line < COUNT; line++)
                sums[line][part] = fmaf(part_of(x[i][line], part), y, sums[line][part]);
        }
}

// Adds the depths from `from` on below `to`, `step` apart.
template <bool ALONG, bool ALIGNED, int COUNT>
static __device__ __forceinline__ void add_depth(float (&sums)[COUNT][PAIR], const element *const (&at)[COUNT],
                                                 const vectors &of, long matrix_step, long step, long from, long to)
{
    const int AHEAD = LOADS / COUNT;
    long k = from;
    for (; k + step * (AHEAD - 1) + (ALONG ? PAIR - 1 : 0) < to; k += step * AHEAD)
        add_some<false, ALONG, ALIGNED>(sums, at, of.vector, of.vector_step, matrix_step, step, k, to);
    if (k < to)
        add_some<true, ALONG, ALIGNED>(sums, at, of.vector, of.vector_step, matrix_step, step, k, to);
}

// Of all words alike: with pairs, rows begin an even number of elements apart.
static __device__ __forceinline__ bool starts_aligned(const vectors &of)
{
    return PAIR == 1 || (ulong)of.matrix % 4 == 0;
}

// Sums of four lines along memory, from line `first` on; all lanes get every line's sum.
static __device__ __forceinline__ void add_along(float (&sums)[LINES], const vectors &of, long first, long from,
                                                 long to)
{
    const element *at[LINES];
    float parts[LINES][PAIR] = {};
#pragma unroll
    for (int i = 0; i < LINES; i++)
        at[i] = of.matrix + min(first + i, of.lines - 1) * of.stride;
    from += threadIdx.x % 32 * PAIR;
    if (starts_aligned(of))
        add_depth<true, true>(parts, at, of, 1, 32 * PAIR, from, to);
    else
        add_depth<true, false>(parts, at, of, 1, 32 * PAIR, from, to);
#pragma unroll
    for (int i = 0; i < LINES; i++)
        sums[i] = PAIR == 2 ? parts[i][0] + parts[i][PAIR - 1] : parts[i][0];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
#pragma unroll
        for (int i = 0; i < LINES; i++)
            sums[i] += __shfl_xor_sync(~0u, sums[i], step);
}

// Sums of WIDE lines across memory, words of them 32 apart, from line `first` + PAIR · lane on.
static __device__ __forceinline__ void add_across(float (&sums)[WIDE / PAIR][PAIR], const vectors &of, long first,
                                                  long from, long to)
{
    const element *at[WIDE / PAIR];
#pragma unroll
    for (int i = 0; i < WIDE / PAIR; i++)
        at[i] = of.matrix + min(first + (threadIdx.x % 32 + 32 * i) * PAIR, of.lines - PAIR);
    if (starts_aligned(of))
        add_depth<false, true>(sums, at, of, of.stride, 1, from, to);
    else
        add_depth<false, false>(sums, at, of, of.stride, 1, from, to);
}

// Stores the warps' sums as sums[piece][line], and adds the pieces: item i gets line i.
static __device__ __forceinline__ float add_pieces(float (*shared)[MOST], int pieces, int lines)
{
    float sum = 0;
    __syncthreads();
    if (threadIdx.x < lines)
        for (int i = 0; i < pieces; i++)
            sum += shared[i][threadIdx.x];
    return sum;
}

// Adds the cluster's sums; its first group gets the result.
static __device__ __forceinline__ float add_groups(float sum, float *shared, int lines)
{
    if (threadIdx.x < lines)
        shared[threadIdx.x] = sum;
    wait_for_cluster();
    if (blockIdx.x % CLUSTER == 0 && threadIdx.x < lines) {
        float parts[CLUSTER];
#pragma unroll
        for (int i = 1; i < CLUSTER; i++)
            parts[i] = read_neighbour(shared + threadIdx.x, i);
#pragma unroll
        for (int i = 1; i < CLUSTER; i++)
            sum += parts[i];
    }
    wait_for_cluster(); // other groups read this group's shared memory
    return sum;
}

static __device__ __forceinline__ void multiply_one(const vectors &of, char *work, long sums_at, long epoch, long k,
                                                    float alpha, float beta, bool along, int pieces, long spans,
                                                    long slice)
{
    __shared__ float shared[WARPS][MOST];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int lines = along ? LINES * WARPS / pieces : 32 * WIDE;
    const long sets = (of.lines + lines - 1) / lines, set = blockIdx.x / CLUSTER % sets;
    const long span = blockIdx.x / CLUSTER / sets;
    const long begin = min(k, (span * CLUSTER + blockIdx.x % CLUSTER) * slice), end = min(k, begin + slice),
               size = (end - begin + pieces * PAIR - 1) / (pieces * PAIR) * PAIR;
    const long from = min(end, begin + warp % pieces * size), to = min(end, from + size);
    if (along) {
        float sums[LINES] = {};
        add_along(sums, of, set * lines + warp / pieces * LINES, from, to);
#pragma unroll
        for (int i = 0; i < LINES; i++)
            if (lane == i)
                shared[warp % pieces][warp / pieces * LINES + i] = sums[i];
    } else {
        float sums[WIDE / PAIR][PAIR] = {};
        add_across(sums, of, set * lines, from, to);
#pragma unroll
        for (int i = 0; i < WIDE; i++)
            shared[warp][(lane + i / PAIR * 32) * PAIR + i % PAIR] = sums[i / PAIR][i % PAIR];
    }
    float sum = add_pieces(shared, pieces, lines);
    if (CLUSTER > 1) {
        __shared__ float parts[MOST];
        sum = add_groups(sum, parts, lines);
        if (blockIdx.x % CLUSTER > 0)
            return;
    }
    if (spans > 1) {
        float *left = (float *)(work + sums_at) + set * spans * MOST;
        if (threadIdx.x < lines)
            __stcg(left + span * MOST + threadIdx.x, sum);
        if (!all_have_come((ulong *)work + set * (spans + 1), span, spans, epoch, beta != 0))
            return;
        sum = 0;
        if (threadIdx.x < lines)
#pragma unroll 8
            for (long other = 0; other < spans; other++)
                sum += __ldcg(left + other * MOST + threadIdx.x);
    }
    const long line = set * lines + threadIdx.x;
    if (threadIdx.x < lines && line < of.lines)
        store(of.result + line * of.result_step, sum, alpha, beta);
}

#define multiply_few multiply_one
#endif

// `work` begins with flags, spans + 1 for each set of lines. From byte `sums_at` on it has MOST sums of each vector for
// each set and each span.
extern "C" __global__ void __launch_bounds__(32 * WARPS, VECTORS > 1 ? 3 : 4)
#if CLUSTER > 1
    __cluster_dims__(CLUSTER, 1, 1)
#endif
        matmul(const element *a, const element *b, outcome *c, char *work, long sums_at, long epoch, long m, long n,
               long k, float alpha, float beta, long lda, long ldb, long ldc, long spread, long spans, long slice)
{
    const bool column = n <= m, along = ALONG_MEMORY;
    const long step_a = TRANSA ? lda : 1, across_a = TRANSA ? 1 : lda;
    const long step_b = TRANSB ? 1 : ldb, across_b = TRANSB ? ldb : 1;
    const vectors of = column ? vectors{a, b, c, m, lda, step_b, ldc, across_b, 1}
                              : vectors{b, a, c, n, ldb, step_a, 1, across_a, ldc};
    multiply_few(of, work, sums_at, epoch, k, alpha, beta, along, along ? spread : WARPS, spans, slice);
}
