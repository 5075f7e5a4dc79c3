// The work of a group of tensor_fused.cu on one stage: floats are split into three bfloat16 parts each, and warpgroups
// multiply the parts.
//
// Each warp splits its own 16 lines of X in registers, from which wgmma reads them. Y's parts are in shared memory, in
// wgmma's layout: plane[part][k / 8][line][k % 8]. The order of depths is arbitrary if both operands agree. Lane q of
// four has depths q, q + 4, q + 8 and q + 12 of X, so that a warp's reads are in different banks.

#include "kernels/matmul/bfloat16_products.cuh"
#include "kernels/matmul/stages.cuh"

// ---- splitting ----------------------------------------------------------------------------------------------------

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
