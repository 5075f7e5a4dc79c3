// What a group of tensor_fused.cu does with one stage: floats become three bfloat16 parts each, which warpgroups
// multiply.
//
// Parts lie in shared memory as wgmma reads them: plane[part][k / 8][line][k % 8], for X and behind it for Y.

#include "kernels/matmul/hopper.cuh"
#include "kernels/matmul/stages.cuh"

#define SUMS (Y_LINES / 2) // of one item
#define PLANES_X (X_LINES * DEPTH * 6)
#define PLANES (PLANES_X + Y_LINES * DEPTH * 6)

// ---- splitting ----------------------------------------------------------------------------------------------------

// Two floats as the nearest bfloat16 numbers; what these do not hold stays in the floats.
static __device__ __forceinline__ uint take_pair(float &first, float &second)
{
    uint pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    first -= __uint_as_float(pair << 16);
    second -= __uint_as_float(pair & 0xffff0000u);
    return pair;
}

// Eight floats of a line from a stage, k / 8 = half. `turn` is the row length modulo 4: that many floats later each row
// begins than the one before.
template <int LINES, bool ALONG>
static __device__ __forceinline__ void read_eight(float (&x)[8], const char *stage, int line, int half, int turn)
{
    typedef operand<LINES, ALONG> from;
    if (!ALONG) {
#pragma unroll
        for (int i = 0; i < 8; i++)
            x[i] = *(const float *)(stage + from::place_of(half * 8 + i, line + (SHIFTED ? i * turn & 3 : 0)));
    } else if (!SHIFTED) {
        *(float4 *)x = *(const float4 *)(stage + from::place_of(line, half * 8));
        *(float4 *)(x + 4) = *(const float4 *)(stage + from::place_of(line, half * 8 + 4));
    } else {
        float wide[12];
        const int shift = line * turn;
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

// One operand's stage. `largest` is the largest magnitude of what the item has seen.
template <int LINES, bool ALONG>
static __device__ __forceinline__ void split(char *planes, const char *stage, int turn, float &largest)
{
#pragma unroll
    for (int i = 0; i < (LINES * 2 + ITEMS - 1) / ITEMS; i++) {
        const int task = threadIdx.x + i * ITEMS, line = task % LINES, half = task / LINES;
        if (LINES * 2 % ITEMS != 0 && task >= LINES * 2)
            break;
        float x[8];
        read_eight<LINES, ALONG>(x, stage, line, half, turn);
#pragma unroll
        for (int j = 0; j < 8; j++)
            largest = fmaxf(largest, fabsf(x[j]));
#pragma unroll
        for (int part = 0; part < 3; part++) {
            uint4 pairs;
            pairs.x = take_pair(x[0], x[1]), pairs.y = take_pair(x[2], x[3]);
            pairs.z = take_pair(x[4], x[5]), pairs.w = take_pair(x[6], x[7]);
            *(uint4 *)(planes + ((part * 2 + half) * LINES + line) * 16) = pairs;
        }
    }
}

// ---- products -----------------------------------------------------------------------------------------------------

// Where one part lies, without swizzling: blocks of 8 lines, 8 deep, are 128 bytes; the next lines follow, the next
// depth is behind all `lines`. (PTX calls this a matrix descriptor, K-major.)
static __device__ __forceinline__ ulong describe(uint address, int lines)
{
    return (address & 0x3ffff) >> 4 | (ulong)lines << 16 | 8ul << 32;
}

#define NAMES_8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define NAMES_16 NAMES_8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define NAMES_32 NAMES_16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#if Y_LINES == 128
#define WGMMA "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" NAMES_64 "}, %64, %65, add, 1, 1, 0, 0;"
#define ADD "%66"
#define SUM_OPERANDS(sum) SIXTY_FOUR(sum)
#elif Y_LINES == 64
#define WGMMA "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" NAMES_32 "}, %32, %33, add, 1, 1, 0, 0;"
#define ADD "%34"
#define SUM_OPERANDS(sum) SIXTEEN(sum, 0), SIXTEEN(sum, 16)
#elif Y_LINES == 32
#define WGMMA "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {" NAMES_16 "}, %16, %17, add, 1, 1, 0, 0;"
#define ADD "%18"
#define SUM_OPERANDS(sum) SIXTEEN(sum, 0)
#else
#define WGMMA "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {" NAMES_8 "}, %8, %9, add, 1, 1, 0, 0;"
#define ADD "%10"
#define SUM_OPERANDS(sum) FOUR(sum, 0), FOUR(sum, 4)
#endif

static __device__ __forceinline__ void multiply(float (&sum)[SUMS], ulong x, ulong y, int add)
{
    asm volatile("{.reg .pred add; setp.ne.b32 add, " ADD ", 0;\n" WGMMA "}"
                 : SUM_OPERANDS(sum)
                 : "l"(x), "l"(y), "r"(add));
}

// The parts of the six products, small ones first: 0 is the high part.
#define PRODUCTS 6
static __device__ constexpr int part_x[PRODUCTS] = {1, 0, 2, 0, 1, 0};
static __device__ constexpr int part_y[PRODUCTS] = {1, 2, 0, 1, 0, 0};

// Begins the products of a stage, 64 lines of X for each warpgroup.
static __device__ __forceinline__ void begin_products(float (&product)[SUMS], uint planes)
{
    const uint x = planes + threadIdx.x / 128 * 1024, y = planes + PLANES_X;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int i = 0; i < PRODUCTS; i++)
        multiply(product, describe(x + part_x[i] * (X_LINES * 32), X_LINES),
                 describe(y + part_y[i] * (Y_LINES * 32), Y_LINES), i > 0);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

static __device__ __forceinline__ void end_products()
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// Products that have ended, with rounding: a tensor core cuts off what does not fit.
static __device__ __forceinline__ void add_products(float (&sum)[SUMS], float (&product)[SUMS])
{
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        asm volatile("" : "+f"(product[i])::"memory"); // not read before this point
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        sum[i] += product[i];
}
