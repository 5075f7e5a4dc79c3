// rung:    tensor-split-async
// idea:    tensor-split with Hopper's wgmma: four warps multiply as one, straight from shared memory; one thread fills it
// tune:    TILE_N = 64 + 64 * (ceil(m / 128) * ceil(n / 128) > 128) in 64 128; STEPS = 2 + 2 * (k >= 8192) in 1 2 4; GROUPED = 8 in 1 4 8 16
// group:   384
// groups:  ceil(m / 128) * ceil(n / TILE_N)
// local:   768 * (128 + TILE_N) + 128 + 20480
// require: element_bytes == 4, works on float only
// require: compute == 9.0, needs wgmma, which only GPUs of compute capability 9.0 have
// tensor:  6

// Products, sums and the treatment of NaN and infinity are those of tensor_split.cu, which should be read first. This
// rung adds three mechanisms:
//
// - wgmma: a warpgroup (4 warps) multiplies 64 × 16 times 16 × TILE_N in one instruction, asynchronously. B comes from
//   shared memory, A from registers, as three products share each part of A.
// - Two warpgroups alternate: one rounds its sums while the other one's products occupy the tensor cores.
// - A third warpgroup releases its registers, and one of its threads fetches whole stages with single bulk copies. The
//   parts' layout in memory allows these. Barriers in shared memory mark stages as full or empty.

#include "kernels/matmul/hopper.cuh"
#define OFFSET 31
#include "kernels/matmul/results.cuh"

#define TILE_M 128
#define STAGES (8 / STEPS)
#define STEP_A (96 * TILE_M) // bytes of one step: three parts, 16 deep, 2 bytes
#define STEP_B (96 * TILE_N)
#define STAGE (STEPS * (STEP_A + STEP_B))
#define SUMS (TILE_N / 2) // results of one thread

#ifndef FALLBACK
#define FALLBACK 0 // 1: behind another rung's product, computed only on that rung's request
#endif

// The parts of the six products, in ascending order of magnitude: 0 is the high part.
#define PRODUCTS 6
static __device__ constexpr int part_a[PRODUCTS] = {1, 0, 2, 0, 1, 0};
static __device__ constexpr int part_b[PRODUCTS] = {1, 2, 0, 1, 0, 0};

// ---- products -----------------------------------------------------------------------------------------------------

// Four 8 × 8 matrices; lane i has the address of row i % 8 of matrix i / 8.
static __device__ void load_matrices(uint *matrices, uint address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(matrices[0]), "=r"(matrices[1]), "=r"(matrices[2]), "=r"(matrices[3])
                 : "r"(address)
                 : "memory");
}

// The matrix descriptor (PTX's term) of one part of B, K-major, without swizzling: blocks of 8 columns, 8 deep, are 128
// bytes. The next columns follow, and the next depth is behind all columns.
static __device__ ulong describe(uint address)
{
    const ulong deeper = TILE_N * 16, across = 128;
    return (address & 0x3ffff) >> 4 | deeper >> 4 << 16 | across >> 4 << 32;
}

// wgmma's operands: %0 … %63 and +f(sum[0]) … +f(sum[63]), or half as many.
#define NAMES_32                                                             \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"

// sum = A·B, added to sum when `add`: 64 × 16 times 16 × TILE_N.
static __device__ __forceinline__ void multiply(float (&sum)[SUMS], const uint *a, ulong b, int add)
{
#if TILE_N == 128
    asm volatile("{.reg .pred add; setp.ne.b32 add, %69, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" NAMES_64
                 "}, {%64, %65, %66, %67}, %68, add, 1, "
                 "1, 0;}"
                 : SIXTEEN(sum, 0), SIXTEEN(sum, 16), SIXTEEN(sum, 32), SIXTEEN(sum, 48)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
#else
    asm volatile("{.reg .pred add; setp.ne.b32 add, %37, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" NAMES_32
                 "}, {%32, %33, %34, %35}, %36, add, 1, 1, "
                 "0;}"
                 : SIXTEEN(sum, 0), SIXTEEN(sum, 16)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
#endif
}

// The products of one stage, for the lane whose row of A has this address.
static __device__ __forceinline__ void multiply_stage(float (&products)[SUMS], uint address_a, uint address_b)
{
    uint a[STEPS][3][4];
#pragma unroll
    for (int step = 0; step < STEPS; step++)
#pragma unroll
        for (int part = 0; part < 3; part++)
            load_matrices(a[step][part], address_a + step * STEP_A + part * (STEP_A / 3));
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int p = 0; p < PRODUCTS; p++)
#pragma unroll
        for (int step = 0; step < STEPS; step++)
            multiply(products, a[step][part_a[p]], describe(address_b + step * STEP_B + part_b[p] * (STEP_B / 3)),
                     p + step > 0);
    asm volatile("wgmma.commit_group.sync.aligned;\n"
                 "wgmma.wait_group.sync.aligned 0;" ::
                     : "memory");
}

// ---- the two roles ------------------------------------------------------------------------------------------------

static __device__ void fetch_stages(const char *tile_a, const char *tile_b, long stages, uint start, uint full,
                                    uint empty)
{
    for (long stage = 0; stage < stages; stage++) {
        int slot = stage % STAGES;
        if (stage >= STAGES)
            barrier_wait(empty + slot * 8, (stage / STAGES - 1) % 2);
        uint to = start + slot * STAGE;
        barrier_expect(full + slot * 8, STAGE);
        copy_bulk(to, tile_a + stage * STEPS * STEP_A, STEPS * STEP_A, full + slot * 8);
        copy_bulk(to + STEPS * STEP_A, tile_b + stage * STEPS * STEP_B, STEPS * STEP_B, full + slot * 8);
    }
}

static __device__ __forceinline__ void add_stages(float (&sum)[SUMS], long stages, uint start, uint full, uint empty)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint row = (lane / 16 * TILE_M + warp * 16 + lane % 16) * 16;
    float products[SUMS];
    for (long stage = 0; stage < stages; stage++) {
        int slot = stage % STAGES;
        uint from = start + slot * STAGE;
        barrier_wait(full + slot * 8, stage / STAGES % 2);
        multiply_stage(products, from + row, from + STEPS * STEP_A);
        __syncwarp(); // the other lanes have finished reading
        if (lane == 0)
            barrier_arrive(empty + slot * 8);
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            sum[i] += products[i];
    }
}

// ---- the kernel ---------------------------------------------------------------------------------------------------

extern "C" __global__ void __launch_bounds__(384, 1)
    matmul(const float *a, const float *b, float *c, const char *work, long planes, long m, long n, long k, float alpha,
           float beta, long lda, long ldb, long ldc, long lines_a, long lines_b)
{
    if (FALLBACK && !six_wanted(work))
        return;
    extern __shared__ __align__(128) char shared[];
    uint start = __cvta_generic_to_shared(shared), full = start + STAGES * STAGE, empty = full + STAGES * 8;

    // GROUPED rows of tiles run together, to share the L2 cache.
    int tiles_m = (m + TILE_M - 1) / TILE_M, tiles_n = (n + TILE_N - 1) / TILE_N;
    int above = blockIdx.x / (GROUPED * tiles_n) * GROUPED, inside = blockIdx.x % (GROUPED * tiles_n);
    int height = min(GROUPED, tiles_m - above), tile_row = above + inside % height, tile_col = inside / height;

    long steps = max(1l, (k + 63) / 64) * 4, stages = steps / STEPS; // planes_bfloat16.cu rounds the depth up
    const char *tile_a = work + planes + tile_row * steps * STEP_A;
    const char *tile_b = work + planes + ((long)tiles_m * STEP_A + (long)tile_col * STEP_B) * steps;
    if (threadIdx.x == 0) {
        for (int slot = 0; slot < STAGES; slot++) {
            barrier_create(full + slot * 8, 1);  // the fetching thread, and the bytes
            barrier_create(empty + slot * 8, 8); // the multiplying warps
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x >= 256) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 256)
            fetch_stages(tile_a, tile_b, stages, start, full, empty);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        float sum[SUMS] = {};
        add_stages(sum, stages, start, full, empty);
        const results to = results_of(a, b, c, work, m, n, k, alpha, beta, lda, ldb, ldc, lines_a, lines_b);
        const int warp = threadIdx.x / 32;
        float *staged = (float *)(shared + STAGES * STAGE + 128) + warp * (16 * PITCH);
        store_rows(to, sum, staged, (long)tile_row * TILE_M + warp * 16, (long)tile_col * TILE_N);
    }
}
