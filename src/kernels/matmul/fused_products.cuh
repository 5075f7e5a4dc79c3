// The work of a group of tensor_fused.cu on one stage: floats are split into three bfloat16 parts each, and warpgroups
// multiply the parts.
//
// Each warp splits its own 16 lines of X in registers, from which wgmma reads them. Y's parts are in shared memory, in
// wgmma's layout: plane[part][k / 8][line][k % 8]. The order of depths is arbitrary if both operands agree. Lane q of
// four has depths q, q + 4, q + 8 and q + 12 of X, so that a warp's reads are in different banks.

#include "kernels/matmul/hopper.cuh"
#include "kernels/matmul/stages.cuh"

#define SUMS (Y_LINES / 2) // of one item
#define PLANES (Y_LINES * DEPTH * 6)

// ---- splitting ----------------------------------------------------------------------------------------------------

// Two floats as the nearest bfloat16 numbers; the remainders stay in the floats.
static __device__ __forceinline__ uint take_pair(float &first, float &second)
{
    uint pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    first -= __uint_as_float(pair << 16);
    second -= __uint_as_float(pair & 0xffff0000u);
    return pair;
}

// Where rows begin, in floats behind a multiple of 16 bytes, modulo 4: the matrix's first row, and each row later than
// the one before. Only the first matrix of a batch begins at such a multiple whatever the length of its rows.
struct shifts {
    int first, step;

    __device__ __forceinline__ int of_row(int row) const
    {
        return SHIFTED ? first + row * step & 3 : 0;
    }
};

static __device__ __forceinline__ shifts shifts_of(const float *matrix, long row_length)
{
    return {BATCH ? (int)((ulong)matrix / 4 & 3) : 0, (int)(row_length & 3)};
}

// Eight floats of a line from a stage, k / 8 = half.
template <int LINES, bool ALONG>
static __device__ __forceinline__ void read_eight(float (&x)[8], const char *stage, int line, int half,
                                                  const shifts &rows)
{
    typedef operand<LINES, ALONG> from;
    if (!ALONG) {
#pragma unroll
        for (int i = 0; i < 8; i++)
            x[i] = *(const float *)(stage + from::place_of(half * 8 + i, line + rows.of_row(i)));
    } else if (!SHIFTED) {
        *(float4 *)x = *(const float4 *)(stage + from::place_of(line, half * 8));
        *(float4 *)(x + 4) = *(const float4 *)(stage + from::place_of(line, half * 8 + 4));
    } else {
        float wide[12];
        const int shift = rows.of_row(line);
#pragma unroll
        for (int i = 0; i < 12; i += 4)
            *(float4 *)(wide + i) = *(const float4 *)(stage + from::place_of(line, half * 8 + i));
#pragma unroll
        for (int i = 0; i < 10; i++)
            wide[i] = shift & 1 ? wide[i + 1] : wide[i];
#pragma unroll
        for (int i = 0; i < 8; i++)
            x[i] = shift & 2 ? wide[i + 2] : wide[i];
    }
}

// An item's share of X: lines lane / 4 and lane / 4 + 8 of its warp, in wgmma's layout.
struct fragment {
    uint part[3][4];
};

// A stage of X. `largest` is the largest magnitude that the item has read.
template <bool ALONG>
static __device__ __forceinline__ void split_x(fragment &to, const char *stage, const shifts &rows, float &largest)
{
    typedef operand<X_LINES, ALONG> from;
    const int line = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, quarter = threadIdx.x % 4;
    float x[2][4];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int l = line + i / 4 * 8, k = quarter + i % 4 * 4;
        const int shift = rows.of_row(ALONG ? l : k);
        x[i / 4][i % 4] =
            *(const float *)(stage + (ALONG ? from::place_of(l, k + shift) : from::place_of(k, l + shift)));
        largest = fmaxf(largest, fabsf(x[i / 4][i % 4]));
    }
    // begin parts
#pragma unroll
    for (int part = 0; part < 3; part++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            to.part[part][i] = take_pair(x[i % 2][i / 2 * 2], x[i % 2][i / 2 * 2 + 1]);
    // end parts
}

// A stage of Y.
template <bool ALONG>
static __device__ __forceinline__ void split_y(char *planes, const char *stage, const shifts &rows, float &largest)
{
#pragma unroll
    for (int i = 0; i < (Y_LINES * 2 + ITEMS - 1) / ITEMS; i++) {
        const int task = threadIdx.x + i * ITEMS, line = task % Y_LINES, half = task / Y_LINES;
        if (Y_LINES * 2 % ITEMS != 0 && task >= Y_LINES * 2)
            break;
        float x[8];
        read_eight<Y_LINES, ALONG>(x, stage, line, half, rows);
#pragma unroll
        for (int j = 0; j < 8; j++)
            largest = fmaxf(largest, fabsf(x[j]));
#pragma unroll
        for (int part = 0; part < 3; part++) {
            uint4 pairs;
            pairs.x = take_pair(x[0], x[4]), pairs.y = take_pair(x[1], x[5]);
            pairs.z = take_pair(x[2], x[6]), pairs.w = take_pair(x[3], x[7]);
            *(uint4 *)(planes + ((part * 2 + half) * Y_LINES + line) * 16) = pairs;
        }
    }
}

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
