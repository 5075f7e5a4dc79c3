// rung:    tensor-split
// idea:    tensor cores with float accuracy: each float as three bfloat16, six products, sums added up outside
// tune:    TILE_N = 64 + 64 * (ceil(m / 128) * ceil(n / 128) > 128) in 64 128; STAGES = 2 in 2 3 4; GROUPED = 8 in 1 4 8 16
// group:   256
// groups:  ceil(m / 128) * ceil(n / TILE_N)
// local:   STAGES * 192 * (128 + TILE_N)
// require: element_bytes == 4, works on float only
// require: compute >= 8.0, needs tensor cores for bfloat16, which GPUs have from compute capability 8.0 on
// tensor:  6

// (a + a' + a'')·(b + b' + b''): of the nine products of parts, the three smallest are below the precision of a float
// result, and six remain. A tensor core multiplies exactly, but its additions truncate. Each step of 16 deep therefore
// starts from zero, and adds the products in ascending order of magnitude. An ordinary, rounding addition then adds the
// step's sum to the result. (The approach is that of H. Ootomo and R. Yokota, Recovering Single Precision Accuracy from
// Tensor Cores While Surpassing the FP32 Theoretical Peak Performance, 2022.)
//
// planes_bfloat16.cu makes the parts. If A or B has NaN or infinity, or a sum leaves the range, the result is NaN or
// infinity; such elements are computed again from the floats.

#define OFFSET 31
#include "kernels/matmul/results.cuh"

#define TILE_M 128
#define STEPS 2 // of one stage, 16 deep each
#define WARPS_N (TILE_N / 32)
#define WARPS_M (8 / WARPS_N)
#define ROWS (TILE_M / WARPS_M / 16)    // blocks of 16 rows of a warp
#define COLUMNS (TILE_N / WARPS_N / 16) // blocks of 16 columns
#define STEP_A (96 * TILE_M)            // bytes of one step: three parts, 16 deep, 2 bytes
#define STEP_B (96 * TILE_N)
#define STAGE (STEPS * (STEP_A + STEP_B))

// The parts of the six products, in ascending order of magnitude: 0 is the high part.
#define PRODUCTS 6
static __device__ constexpr int part_a[PRODUCTS] = {1, 0, 2, 0, 1, 0};
static __device__ constexpr int part_b[PRODUCTS] = {1, 2, 0, 1, 0, 0};

// ---- instructions -------------------------------------------------------------------------------------------------

static __device__ void copy_async(uint to, const char *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

// Four 8 × 8 matrices; lane i has the address of row i % 8 of matrix i / 8.
static __device__ void load_matrices(uint *matrices, uint address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(matrices[0]), "=r"(matrices[1]), "=r"(matrices[2]), "=r"(matrices[3])
                 : "r"(address));
}

// sum += A·B: 16 × 16 times 16 × 8.
static __device__ void multiply(float *sum, const uint *a, const uint *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// ---- one stage ----------------------------------------------------------------------------------------------------

static __device__ void fetch(uint to, const char *tile_a, const char *tile_b)
{
    for (int i = threadIdx.x * 16; i < STEPS * STEP_A; i += 256 * 16)
        copy_async(to + i, tile_a + i);
    for (int i = threadIdx.x * 16; i < STEPS * STEP_B; i += 256 * 16)
        copy_async(to + STEPS * STEP_A + i, tile_b + i);
}

// Adds the products of one step for the warp's blocks to `sum`. The addresses are those of the lane's rows in the first
// block.
static __device__ __forceinline__ void add_step(float (&sum)[ROWS][COLUMNS][2][4], uint address_a, uint address_b)
{
    uint a[3][ROWS][4];
#pragma unroll
    for (int part = 0; part < 3; part++)
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            load_matrices(a[part][i], address_a + part * (STEP_A / 3) + i * 256);
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) {
        uint b[3][4];
#pragma unroll
        for (int part = 0; part < 3; part++)
            load_matrices(b[part], address_b + part * (STEP_B / 3) + j * 256);
        float products[ROWS][2][4] = {};
#pragma unroll
        for (int p = 0; p < PRODUCTS; p++)
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                multiply(products[i][0], a[part_a[p]][i], &b[part_b[p]][0]);
                multiply(products[i][1], a[part_a[p]][i], &b[part_b[p]][2]);
            }
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int e = 0; e < 8; e++)
                sum[i][j][e / 4][e % 4] += products[i][e / 4][e % 4];
    }
}

// ---- the kernel ---------------------------------------------------------------------------------------------------

extern "C" __global__ void __launch_bounds__(256, 1)
    matmul(const float *a, const float *b, float *c, const char *work, long planes, long m, long n, long k, float alpha,
           float beta, long lda, long ldb, long ldc, long lines_a, long lines_b)
{
    extern __shared__ __align__(128) char shared[];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warp_m = warp % WARPS_M, warp_n = warp / WARPS_M;

    // GROUPED rows of tiles run together, to share the L2 cache.
    int tiles_m = (m + TILE_M - 1) / TILE_M, tiles_n = (n + TILE_N - 1) / TILE_N;
    int above = blockIdx.x / (GROUPED * tiles_n) * GROUPED, inside = blockIdx.x % (GROUPED * tiles_n);
    int height = min(GROUPED, tiles_m - above), tile_row = above + inside % height, tile_col = inside / height;

    long steps = max(1l, (k + 63) / 64) * 4, stages = steps / STEPS; // planes_bfloat16.cu rounds the depth up
    const char *tile_a = work + planes + tile_row * steps * STEP_A;
    const char *tile_b = work + planes + ((long)tiles_m * STEP_A + (long)tile_col * STEP_B) * steps;
    uint start = __cvta_generic_to_shared(shared);
    uint offset_a = (lane / 16 * TILE_M + warp_m * ROWS * 16 + lane % 16) * 16;
    uint offset_b = (lane / 8 % 2 * TILE_N + warp_n * COLUMNS * 16 + lane / 16 * 8 + lane % 8) * 16;

    float sum[ROWS][COLUMNS][2][4] = {};
    for (long stage = 1 - STAGES; stage < stages; stage++) {
        if (stage >= 0) {
            asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
            __syncthreads();
        }
        long ahead = stage + STAGES - 1;
        if (ahead < stages)
            fetch(start + ahead % STAGES * STAGE, tile_a + ahead * STEPS * STEP_A, tile_b + ahead * STEPS * STEP_B);
        asm volatile("cp.async.commit_group;" ::: "memory");
        uint from = start + (stage + STAGES) % STAGES * STAGE;
#pragma unroll
        for (int step = 0; step < STEPS && stage >= 0; step++)
            add_step(sum, from + step * STEP_A + offset_a, from + STEPS * STEP_A + step * STEP_B + offset_b);
    }

    long top = (long)tile_row * TILE_M + warp_m * ROWS * 16 + lane / 4;
    long left = (long)tile_col * TILE_N + warp_n * COLUMNS * 16 + lane % 4 * 2;
    const results to = results_of(a, b, c, work, m, n, k, alpha, beta, lda, ldb, ldc, lines_a, lines_b);
    ulong again = 0; // special results are handled behind the unrolled loop
#pragma unroll
    for (int i = 0; i < ROWS * COLUMNS * 8; i++) {
        int e = i % 8, j = i / 8 % COLUMNS;
        long row = top + i / 8 / COLUMNS * 16 + e / 2 % 2 * 8, col = left + j * 16 + e / 4 * 8 + e % 2;
        float value = sum[i / 8 / COLUMNS][j][e / 4][e % 4];
        int scale = __ldg(to.scales_a + row) + __ldg(to.scales_b + col) + 2 * OFFSET;
        if (row >= m || col >= n)
            continue;
        if (is_finite(value) && !(__ldg(to.beyond_a + row) | __ldg(to.beyond_b + col)))
            put(to, times_power(value, -scale), row, col);
        else
            again |= 1ul << i;
    }
    for (; again; again &= again - 1) {
        int i = __ffsll(again) - 1, e = i % 8;
        store_any(to, __uint_as_float(0x7fffffff), top + i / 8 / COLUMNS * 16 + e / 2 % 2 * 8,
                  left + i / 8 % COLUMNS * 16 + e / 4 * 8 + e % 2);
    }
}
