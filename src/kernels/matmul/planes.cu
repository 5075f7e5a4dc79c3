// Splits the floats of op(A) and op(B) into three bfloat16 numbers each, for the tensor rungs: x = high + middle + low,
// each part the nearest to what the parts before it leave. A bfloat16 has 8 bits of significance, so that three of them
// hold the 24 of a float; and it has a float's exponent, so that no scaling is needed. What is not finite leaves NaN in
// the middle part.
//
// The parts lie in the order in which the multiplying kernels want them in shared memory, so that these copy without
// looking. A line is a row of op(A) or a column of op(B); TILE_M lines of A and TILE_N of B make a tile, and
//
//   planes[tile][k / 16][part: high, middle, low][k / 8 % 2][line in the tile][k % 8]
//
// is 2 bytes. Beyond the edges there are zeros, so nobody else has to ask where they are.

#define DEPTH 64 // of one block
#define LINES 32 // of one block

// The nearest bfloat16 of two floats, and back.
static __device__ uint to_pair(float first, float second)
{
    uint pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    return pair;
}

static __device__ float first_of(uint pair)
{
    return __uint_as_float(pair << 16);
}

static __device__ float second_of(uint pair)
{
    return __uint_as_float(pair & 0xffff0000u);
}

// Eight numbers of one line, from `k` on: neighbours in memory when `along_k`.
static __device__ void read(float *numbers, const float *x, long line, long k, long lines, long depth, long stride,
                            bool along_k)
{
    if (along_k && line < lines && k + 8 <= depth && stride % 4 == 0) {
        *(float4 *)&numbers[0] = *(const float4 *)(x + line * stride + k);
        *(float4 *)&numbers[4] = *(const float4 *)(x + line * stride + k + 4);
        return;
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        long at = along_k ? line * stride + k + i : (k + i) * stride + line;
        numbers[i] = line < lines && k + i < depth ? x[at] : 0.0f;
    }
}

// One block: LINES lines, DEPTH deep. A warp takes 8 lines, 32 deep, where k runs along memory; else 32 lines, 8 deep.
static __device__ void split(const float *x, uint4 *planes, long block_line, long block_k, long lines, long depth,
                             long stride, bool along_k, int tile)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long line = block_line * LINES + (along_k ? warp % 4 * 8 + lane % 8 : lane);
    long eighth = block_k * (DEPTH / 8) + (along_k ? warp / 4 * 4 + lane / 8 : warp);
    float numbers[8];
    read(numbers, x, line, eighth * 8, lines, depth, stride, along_k);
    long steps = (depth + DEPTH - 1) / DEPTH * (DEPTH / 16);
    uint4 *to = planes + ((line / tile * steps + eighth / 2) * 6 + eighth % 2) * tile + line % tile;
#pragma unroll
    for (int part = 0; part < 3; part++) {
        uint pairs[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            pairs[i] = to_pair(numbers[2 * i], numbers[2 * i + 1]);
            numbers[2 * i] -= first_of(pairs[i]);
            numbers[2 * i + 1] -= second_of(pairs[i]);
        }
        to[part * 2 * tile] = make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
    }
}

// Blocks of A first, then those of B; k fastest.
extern "C" __global__ void __launch_bounds__(256)
    split_planes(const float *a, const float *b, uint4 *planes, long m, long n, long k, long lda, long ldb)
{
    long deep = (k + DEPTH - 1) / DEPTH, lines_a = (m + TILE_M - 1) / TILE_M * TILE_M;
    long block_line = blockIdx.x / deep, block_k = blockIdx.x % deep;
    if (block_line < lines_a / LINES)
        split(a, planes, block_line, block_k, m, k, lda, !TRANSA, TILE_M);
    else
        split(b, planes + lines_a * deep * (DEPTH * 6 / 16), block_line - lines_a / LINES, block_k, n, k, ldb, TRANSB,
              TILE_N);
}
