// rung:    tensor-shallow
// idea:    a small depth on tensor cores: each group splits all of it at once, then nobody waits for anybody
// tune:    STEPS = max(1, min(18, ceil(k / 16))) in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18
// tune:    WARPGROUPS = 1 + (k > 32 && m > 64 && batch * ceil(m / 64) * ceil(n / 64) >= 396) in 1 2
// tune:    Y_LINES = 32 + 32 * (batch * ceil(m / 64) * ceil(n / 64) >= 200) in 32 64
// group:   128 * WARPGROUPS
// groups:  ceil(m / (64 * WARPGROUPS)) * ceil(n / Y_LINES) * batch
// local:   max(STEPS * Y_LINES * 96, 256 * WARPGROUPS * (Y_LINES + 8))
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// require: element_bytes == 4, works on float only
// require: compute == 9.0, needs wgmma, which only GPUs of compute capability 9.0 have
// require: k <= 16 * STEPS, has the whole depth in shared memory: at most 288
// tensor:  6
// takes:   batch

// tensor-fused makes a stage of 16 deep at a time, and its warps meet at each one. With a small depth that is most of
// its time. Here a group splits its columns of B for the whole depth, once, and they stay in shared memory. Each warp
// then takes 16 rows of A for itself, straight from memory, WINDOW steps of 16 deep ahead. It splits a step while the
// previous one is multiplied. Each warp also stores its own results, by whole rows. Several groups on a multiprocessor
// overlap: while one stores, others multiply. The products of a batch follow one another in the grid.

#define TILE_M (64 * WARPGROUPS)
#define TILE_N Y_LINES
#define ITEMS (128 * WARPGROUPS)
#define SWAPPED 0
#define PITCH (TILE_N + 8)
#define GROUPED 8
#ifndef WINDOW
#define WINDOW (STEPS < 2 ? 1 : 2)
#endif
#ifndef GROUPS_EACH
#define GROUPS_EACH (4 / WARPGROUPS)
#endif

#include "kernels/matmul/bfloat16_products.cuh"

#include "kernels/matmul/doubtful_sums.cuh"

// The depths of a step of 16, in wgmma's order: lane q of four has 4q and 4q + 1 in the first half, 4q + 2 and 4q + 3
// in the second. So an item's four depths of a row are adjacent.

// ---- rows of A ----------------------------------------------------------------------------------------------------

struct rows {
    const float *at[2]; // the item's two rows, from its first depth on
    long step;          // from one depth to the next
    int depth;          // from the item's first depth on
    bool aligned;
};

static __device__ __forceinline__ rows rows_of(const matrices &of, const piece &own)
{
    const int line = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, first = threadIdx.x % 4 * 4;
    rows r = {{}, TRANSA ? of.lda : 1, (int)of.k - first, !TRANSA && of.lda % 4 == 0 && (ulong)of.a % 16 == 0};
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const long row = min(own.row + line + i * 8, of.m - 1); // beyond the matrix: its last one again
        r.at[i] = of.a + (TRANSA ? first * of.lda + row : row * of.lda + first);
    }
    return r;
}

// The item's eight floats of a step.
static __device__ __forceinline__ void load_step(float (&x)[2][4], const rows &of, int step)
{
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const float *from = of.at[i] + step * 16 * of.step;
        if (of.aligned && step * 16 + 4 <= of.depth)
            *(float4 *)x[i] = __ldg((const float4 *)from);
        else
#pragma unroll
            for (int j = 0; j < 4; j++)
                x[i][j] = step * 16 + j < of.depth ? __ldg(from + j * of.step) : 0;
    }
}

static __device__ __forceinline__ void split_step(fragment &to, float (&x)[2][4], float &largest)
{
#pragma unroll
    for (int i = 0; i < 8; i++)
        largest = fmaxf(largest, fabsf(x[i / 4][i % 4]));
#pragma unroll
    for (int part = 0; part < 3; part++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            to.part[part][i] = take_pair(x[i % 2][i / 2 * 2], x[i % 2][i / 2 * 2 + 1]);
}

// ---- columns of B -------------------------------------------------------------------------------------------------

// 16 depths of a column, from depth k on.
static __device__ __forceinline__ void load_column(float (&y)[16], const matrices &of, long col, int k)
{
    const float *from = of.b + (TRANSB ? col * of.ldb + k : k * of.ldb + col);
    const long step = TRANSB ? 1 : of.ldb;
    if (k + 16 <= of.k) {
#pragma unroll
        for (int i = 0; i < 16; i++)
            y[i] = __ldg(from + i * step);
    } else {
#pragma unroll
        for (int i = 0; i < 16; i++)
            y[i] = k + i < of.k ? __ldg(from + i * step) : 0;
    }
}

// Splits all of the group's columns to `planes`, PLANES bytes for each step.
static __device__ __forceinline__ void split_columns(char *planes, const matrices &of, const piece &own, float &largest)
{
#pragma unroll 1
    for (int task = threadIdx.x; task < STEPS * Y_LINES; task += ITEMS) {
        const int line = task % Y_LINES, step = task / Y_LINES;
        float y[16];
        load_column(y, of, min(own.col + line, of.n - 1), step * 16);
#pragma unroll
        for (int i = 0; i < 16; i++)
            largest = fmaxf(largest, fabsf(y[i]));
        char *to = planes + step * PLANES + line * 16;
#pragma unroll
        for (int i = 0; i < 6; i++) { // part i / 2, half i % 2
            uint4 pairs;
            float *const four = y + i % 2 * 2;
            pairs.x = take_pair(four[0], four[1]), pairs.y = take_pair(four[4], four[5]);
            pairs.z = take_pair(four[8], four[9]), pairs.w = take_pair(four[12], four[13]);
            *(uint4 *)(to + i * (Y_LINES * 16)) = pairs;
        }
    }
}

// ---- the kernel ---------------------------------------------------------------------------------------------------

// Adds the whole depth to the item's sums.
static __device__ __forceinline__ void add_steps(float (&sum)[SUMS], float (&x)[WINDOW][2][4], const rows &of,
                                                 uint planes, float &largest)
{
    float product[SUMS];
    fragment parts[2];
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
        split_step(parts[step % 2], x[step % WINDOW], largest);
        if (step + WINDOW < STEPS)
            load_step(x[step % WINDOW], of, step + WINDOW);
        if (step > 0) {
            end_products(parts[(step + 1) % 2]);
            add_products(sum, product);
        }
        begin_products(product, parts[step % 2], planes + step * PLANES);
    }
    end_products(parts[(STEPS + 1) % 2]);
    add_products(sum, product);
}

// Stores the warp's 16 rows of results.
static __device__ __forceinline__ void store_rows(const matrices &of, const piece &own, const float *tile)
{
    const int first = threadIdx.x / 32 * 16, lane = threadIdx.x % 32;
    const long row = own.row + first, col = own.col + lane;
    const int count = (int)min(16l, of.m - row);
    const float *from = tile + first * PITCH + lane;
    float *to = of.c + row * of.ldc + col;
#pragma unroll 4
    for (int r = 0; r < count; r++, from += PITCH, to += of.ldc)
#pragma unroll
        for (int i = 0; i < TILE_N; i += 32)
            if (col + i < of.n)
                to[i] = of.alpha * from[i] + (of.beta == 0 ? 0 : of.beta * to[i]);
}

extern "C" __global__ void __launch_bounds__(ITEMS, GROUPS_EACH)
    matmul(const float *a, const float *b, float *c, long m, long n, long k, float alpha, float beta, long lda,
           long ldb, long ldc)
{
    extern __shared__ __align__(128) char shared[];
    __shared__ uint largest_bits;
    const int tiles_m = (m + TILE_M - 1) / TILE_M, tiles_n = (n + TILE_N - 1) / TILE_N, tiles = tiles_m * tiles_n;
    const long product = BATCH ? blockIdx.x / tiles : 0;
    const int tile = BATCH ? blockIdx.x % tiles : blockIdx.x;
    const matrices of = matrices_of({a, b, c, m, n, k, lda, ldb, ldc, alpha, beta}, product);
    const int above = tile / (GROUPED * tiles_n) * GROUPED, inside = tile % (GROUPED * tiles_n);
    const int height = min(GROUPED, tiles_m - above);
    const piece own = {(long)(above + inside % height) * TILE_M, (long)(inside / height) * TILE_N, 0, k};
    const rows rows = rows_of(of, own);
    float x[WINDOW][2][4], sum[SUMS] = {}, largest = 0;
#pragma unroll
    for (int step = 0; step < WINDOW; step++)
        load_step(x[step], rows, step);
    if (threadIdx.x == 0)
        largest_bits = 0;
    split_columns(shared, of, own, largest);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // makes these stores visible to wgmma
    __syncthreads();
    add_steps(sum, x, rows, __cvta_generic_to_shared(shared), largest);
    const uint bits = __reduce_max_sync(~0u, __float_as_uint(largest));
    if (threadIdx.x % 32 == 0)
        atomicMax(&largest_bits, bits);
    __syncthreads(); // all products are done: the results replace the parts
    const float most = __uint_as_float(largest_bits);
    float *results = (float *)shared;
    leave_tile(sum, of, own, results, most == 0 ? 0 : fmaxf(most * k * 0x1p-110f, 0x1p-100f));
    __syncwarp();
    store_rows(of, own, results);
}
