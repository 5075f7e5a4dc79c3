// rung:    matrix-vector
// idea:    one row or one column of results: every number of the matrix is read once, at the memory's rate
// tune:    SPREAD = 0 in 0 1 2 4 8; SPANS = 0 in 0 1 2 4 8 16 32 64 128; CLUSTER = 0 in 0 1 2 4 8; WIDE = 0 in 0 1 2 4
// require: element_bytes == 4, works on float only
// require: compute >= 9.0, needs thread block clusters, which GPUs have from compute capability 9.0 on
// require: m <= 8 || n <= 8, computes at most eight rows or columns of results

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

#include "kernels/matmul/arrivals.cuh"

#include "kernels/matmul/cluster.cuh"

#if WIDE == 0
#undef WIDE
#define WIDE 4
#endif
#ifndef VECTORS
#define VECTORS 1
#endif
#ifndef PAST_CACHES
#define PAST_CACHES 0
#endif
#define WARPS 8
#define LINES 4  // of a warp, along memory
#define LOADS 16 // of an item, in flight
#define MOST 128 // lines of a group: 4 · WARPS / spread of those along memory, 32 · WIDE others

struct vectors {
    const float *matrix, *vector;
    float *result;
    long lines, stride, vector_step, result_step;
    long vector_across, result_across; // from one vector to the next
};

// A matrix larger than the last-level cache is read past the first-level cache, which is left to the vector. Loads with
// that hint also leave the last-level cache soon, so a smaller matrix goes without.
static __device__ __forceinline__ float load_once(const float *at)
{
    float value;
#if PAST_CACHES
    asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(at));
#else
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(value) : "l"(at));
#endif
    return value;
}

#if VECTORS > 1
#include "kernels/matmul/few_vectors.cuh"
#else

// Adds matrix[k + step · i] · vector[k + step · i] for i below LOADS / COUNT, for COUNT lines. CHECKED skips depths
// beyond `to`.
template <bool CHECKED, int COUNT>
static __device__ __forceinline__ void add_some(float (&sums)[COUNT], const float *const (&at)[COUNT],
                                                const float *vector, long vector_step, long matrix_step, long step,
                                                long k, long to)
{
    const int AHEAD = LOADS / COUNT;
    float x[AHEAD][COUNT];
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
#pragma unroll
        for (int line = 0; line < COUNT; line++)
            if (!CHECKED || k + step * i < to)
                x[i][line] = load_once(at[line] + (k + step * i) * matrix_step);
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
        if (!CHECKED || k + step * i < to) {
            const float y = __ldg(vector + (k + step * i) * vector_step);
#pragma unroll
            for (int line = 0; line < COUNT; line++)
                sums[line] = fmaf(x[i][line], y, sums[line]);
        }
}

// Adds the depths from `from` on below `to`, `step` apart.
template <int COUNT>
static __device__ __forceinline__ void add_depth(float (&sums)[COUNT], const float *const (&at)[COUNT],
                                                 const vectors &of, long matrix_step, long step, long from, long to)
{
    const int AHEAD = LOADS / COUNT;
    long k = from;
    for (; k + step * (AHEAD - 1) < to; k += step * AHEAD)
        add_some<false>(sums, at, of.vector, of.vector_step, matrix_step, step, k, to);
    if (k < to)
        add_some<true>(sums, at, of.vector, of.vector_step, matrix_step, step, k, to);
}

// Sums of four lines along memory, from line `first` on; all lanes get every line's sum.
static __device__ __forceinline__ void add_along(float (&sums)[LINES], const vectors &of, long first, long from,
                                                 long to)
{
    const float *at[LINES];
#pragma unroll
    for (int i = 0; i < LINES; i++)
        at[i] = of.matrix + min(first + i, of.lines - 1) * of.stride;
    add_depth(sums, at, of, 1, 32, from + threadIdx.x % 32, to);
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
#pragma unroll
        for (int i = 0; i < LINES; i++)
            sums[i] += __shfl_xor_sync(~0u, sums[i], step);
}

// Sums of WIDE lines across memory, 32 apart, from line `first` + lane on.
static __device__ __forceinline__ void add_across(float (&sums)[WIDE], const vectors &of, long first, long from,
                                                  long to)
{
    const float *at[WIDE];
#pragma unroll
    for (int i = 0; i < WIDE; i++)
        at[i] = of.matrix + min(first + threadIdx.x % 32 + 32 * i, of.lines - 1);
    add_depth(sums, at, of, of.stride, 1, from, to);
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
               size = (end - begin + pieces - 1) / pieces;
    const long from = min(end, begin + warp % pieces * size), to = min(end, from + size);
    if (along) {
        float sums[LINES] = {};
        add_along(sums, of, set * lines + warp / pieces * LINES, from, to);
#pragma unroll
        for (int i = 0; i < LINES; i++)
            if (lane == i)
                shared[warp % pieces][warp / pieces * LINES + i] = sums[i];
    } else {
        float sums[WIDE] = {};
        add_across(sums, of, set * lines, from, to);
#pragma unroll
        for (int i = 0; i < WIDE; i++)
            shared[warp][lane + 32 * i] = sums[i];
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
    if (threadIdx.x < lines && line < of.lines) {
        float *at = of.result + line * of.result_step;
        *at = alpha * sum + (beta == 0 ? 0 : beta * *at);
    }
}

#define multiply_few multiply_one
#endif

// `work` begins with flags, spans + 1 for each set of lines. From byte `sums_at` on it has MOST sums of each vector for
// each set and each span.
extern "C" __global__ void __launch_bounds__(32 * WARPS, VECTORS > 1 ? 3 : 4)
#if CLUSTER > 1
    __cluster_dims__(CLUSTER, 1, 1)
#endif
        matmul(const float *a, const float *b, float *c, char *work, long sums_at, long epoch, long m, long n, long k,
               float alpha, float beta, long lda, long ldb, long ldc, long spread, long spans, long slice)
{
    const bool column = n <= m, along = column ? !TRANSA : TRANSB;
    const long step_a = TRANSA ? lda : 1, across_a = TRANSA ? 1 : lda;
    const long step_b = TRANSB ? 1 : ldb, across_b = TRANSB ? ldb : 1;
    const vectors of = column ? vectors{a, b, c, m, lda, step_b, ldc, across_b, 1}
                              : vectors{b, a, c, n, ldb, step_a, 1, across_a, ldc};
    multiply_few(of, work, sums_at, epoch, k, alpha, beta, along, along ? spread : WARPS, spans, slice);
}
