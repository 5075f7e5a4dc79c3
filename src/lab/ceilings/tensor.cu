// The ceiling of tensor cores: multiply-adds of bfloat16, summed in float, on operands that stay in place, and nothing
// else. A group is four warps; one step multiplies 64 × 16 by 16 × 256. Steps are distributed evenly.
//
// On compute capability 9.0 a step is one wgmma with both operands in shared memory, two in flight per group. Other
// GPUs use mma.sync, which does not reach that peak on 9.0. Measured on an H200, from 2e12 operations: 965 TFLOP/s at
// best with two groups per multiprocessor, 960 when each step is waited for, 959 with half as many columns per step,
// 649 with mma.sync. The operands are noise: with zeros the clock stays higher over long runs (945 TFLOP/s; with noise
// 880).

#define ITEMS 128
#define ROWS 64
#define COLUMNS 256

#if __CUDA_ARCH__ < 800
#error "bfloat16 on tensor cores needs compute capability 8.0"
#endif

// Two numbers of ± 0.5 … 2.
static __device__ uint noise(uint seed)
{
    seed = (seed ^ 61) ^ seed >> 16;
    seed *= 9;
    seed = (seed ^ seed >> 4) * 0x27d4eb2d;
    return 0x3f003f00 | ((seed ^ seed >> 15) & 0x80ff80ff);
}

static __device__ long steps_of_group(long steps)
{
    return steps / gridDim.x + (blockIdx.x < steps % gridDim.x);
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

#define TILES 4 // pairs of operands used in turns, so that bits change
#define TILE_A (ROWS * 16 * 2)
#define TILE_B (COLUMNS * 16 * 2)
#define SUMS (ROWS * COLUMNS / ITEMS)

// A matrix descriptor, K-major, without swizzling: blocks of 8 rows × 8 deep are 128 bytes; the next rows follow.
static __device__ ulong describe(uint address, ulong rows)
{
    return (address & 0x3ffff) >> 4 | rows << 16 | 8ul << 32;
}

#define FOUR(sum, i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SIXTEEN(sum, i) FOUR(sum, i), FOUR(sum, i + 4), FOUR(sum, i + 8), FOUR(sum, i + 12)
#define SIXTY_FOUR(sum, i) SIXTEEN(sum, i), SIXTEEN(sum, i + 16), SIXTEEN(sum, i + 32), SIXTEEN(sum, i + 48)
#define TEN(t) "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9, "
#define NAMES_128                                                                                                     \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, " TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) \
        TEN(11) "%120, %121, %122, %123, %124, %125, %126, %127"

static __device__ __forceinline__ void multiply(float (&sum)[SUMS], ulong a, ulong b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" NAMES_128 "}, %128, %129, 1, 1, 1, 0, 0;\n"
                 "wgmma.commit_group.sync.aligned;\n"
                 : SIXTY_FOUR(sum, 0), SIXTY_FOUR(sum, 64)
                 : "l"(a), "l"(b)
                 : "memory");
}

extern "C" __global__ void __launch_bounds__(ITEMS) tensor_peak(float *sink, long steps)
{
    __shared__ __align__(128) uint tiles[TILES * (TILE_A + TILE_B) / 4];
    for (int i = threadIdx.x; i < TILES * (TILE_A + TILE_B) / 4; i += ITEMS)
        tiles[i] = noise(i);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    uint start = __cvta_generic_to_shared(tiles);
    ulong a = describe(start, ROWS), b = describe(start + TILES * TILE_A, COLUMNS);
    float sum[SUMS] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (long left = steps_of_group(steps); left > 0; left--) {
        multiply(sum, a + left % TILES * (TILE_A >> 4), b + left % TILES * (TILE_B >> 4));
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    float total = 0;
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        total += sum[i];
    if (total == -1)
        *sink = total;
}

#else

// A warp's part of a step: 2 × 4 × 4 products of 16 × 16 by 16 × 8, of which 16 do not wait for each other.
#define DEPTHS 2
#define BLOCKS 4

static __device__ __forceinline__ void multiply(float *sum, const uint *a, const uint *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void __launch_bounds__(ITEMS) tensor_peak(float *sink, long steps)
{
    uint a[DEPTHS][BLOCKS][4], b[DEPTHS][BLOCKS][2];
#pragma unroll
    for (int i = 0; i < DEPTHS * BLOCKS * 4; i++)
        a[i / 4 / BLOCKS][i / 4 % BLOCKS][i % 4] = noise(i * ITEMS + threadIdx.x);
#pragma unroll
    for (int i = 0; i < DEPTHS * BLOCKS * 2; i++)
        b[i / 2 / BLOCKS][i / 2 % BLOCKS][i % 2] = noise((i + DEPTHS * BLOCKS * 4) * ITEMS + threadIdx.x);
    float sum[BLOCKS][BLOCKS][4] = {};
    for (long left = steps_of_group(steps); left > 0; left--)
#pragma unroll
        for (int i = 0; i < DEPTHS * BLOCKS * BLOCKS; i++) {
            int depth = i / BLOCKS / BLOCKS, row = i / BLOCKS % BLOCKS, column = i % BLOCKS;
            multiply(sum[row][column], a[depth][row], b[depth][column]);
        }
    float total = 0;
#pragma unroll
    for (int i = 0; i < BLOCKS * BLOCKS * 4; i++)
        total += sum[i / 4 / BLOCKS][i / 4 % BLOCKS][i % 4];
    if (total == -1)
        *sink = total;
}

#endif
