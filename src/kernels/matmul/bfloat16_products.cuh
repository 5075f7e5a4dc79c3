// Six wgmma products of bfloat16 parts, three of each float: 64 lines of X for each warpgroup, in registers, by Y_LINES
// of Y, whose parts are in shared memory in wgmma's layout, 16 deep: plane[part][k / 8][line][k % 8].

#include "kernels/matmul/hopper.cuh"

#define SUMS (Y_LINES / 2) // of one item
#define PLANES (Y_LINES * 16 * 6)

// ---- parts --------------------------------------------------------------------------------------------------------

// Two floats as the nearest bfloat16 numbers; the remainders stay in the floats.
static __device__ __forceinline__ uint take_pair(float &first, float &second)
{
    uint pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    first -= __uint_as_float(pair << 16);
    second -= __uint_as_float(pair & 0xffff0000u);
    return pair;
}

// An item's share of X: lines lane / 4 and lane / 4 + 8 of its warp, in wgmma's layout.
struct fragment {
    uint part[3][4];
};

// ---- products -----------------------------------------------------------------------------------------------------

// The matrix descriptor (PTX's term) of one part, K-major, without swizzling: blocks of 8 lines, 8 deep, are 128 bytes.
// The next lines follow, and the next depth is behind all lines.
static __device__ __forceinline__ ulong describe(uint address)
{
    return (address & 0x3ffff) >> 4 | (ulong)Y_LINES << 16 | 8ul << 32;
}

#define NAMES_8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define NAMES_16 NAMES_8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define NAMES_32 NAMES_16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#if Y_LINES == 128
#define WGMMA \
    "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" NAMES_64 "}, {%64, %65, %66, %67}, %68, add, 1, 1, 0;"
#define ADD "%69"
#define SUM_OPERANDS(sum) SIXTY_FOUR(sum)
#elif Y_LINES == 64
#define WGMMA \
    "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" NAMES_32 "}, {%32, %33, %34, %35}, %36, add, 1, 1, 0;"
#define ADD "%37"
#define SUM_OPERANDS(sum) SIXTEEN(sum, 0), SIXTEEN(sum, 16)
#elif Y_LINES == 32
#define WGMMA \
    "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {" NAMES_16 "}, {%16, %17, %18, %19}, %20, add, 1, 1, 0;"
#define ADD "%21"
#define SUM_OPERANDS(sum) SIXTEEN(sum, 0)
#else
#define WGMMA \
    "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {" NAMES_8 "}, {%8, %9, %10, %11}, %12, add, 1, 1, 0;"
#define ADD "%13"
#define SUM_OPERANDS(sum) FOUR(sum, 0), FOUR(sum, 4)
#endif

static __device__ __forceinline__ void multiply(float (&sum)[SUMS], const uint (&x)[4], ulong y, int add)
{
    asm volatile("{.reg .pred add; setp.ne.b32 add, " ADD ", 0;\n" WGMMA "}"
                 : SUM_OPERANDS(sum)
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(y), "r"(add));
}

// The parts of the six products, in ascending order of magnitude: 0 is the high part.
#define PRODUCTS 6
static __device__ constexpr int part_x[PRODUCTS] = {1, 0, 2, 0, 1, 0};
static __device__ constexpr int part_y[PRODUCTS] = {1, 2, 0, 1, 0, 0};

// Starts the products of a stage, 64 lines of X for each warpgroup.
static __device__ __forceinline__ void begin_products(float (&product)[SUMS], const fragment &x, uint planes)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int i = 0; i < PRODUCTS; i++)
        multiply(product, x.part[part_x[i]], describe(planes + part_y[i] * (Y_LINES * 32)), i > 0);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits for the products that read `x`: until then its registers must not change.
static __device__ __forceinline__ void end_products(fragment &x)
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (int i = 0; i < 12; i++)
        asm volatile("" : "+r"(x.part[i / 4][i % 4])::"memory");
}

// Adds finished products with rounding, because a tensor core's additions truncate.
static __device__ __forceinline__ void add_products(float (&sum)[SUMS], float (&product)[SUMS])
{
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        asm volatile("" : "+f"(product[i])::"memory"); // keeps reads behind this point
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        sum[i] += product[i];
}
