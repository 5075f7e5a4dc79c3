// Three bfloat16 parts of each float; planes.cuh describes their layout.
//
// bfloat16 has the range of a float: only parts of very small numbers are lost, and few matrices have such numbers. All
// lines are therefore split with one scale first, PLAIN. A number out of range sets the header's word to the launch's
// number. Only then are scales computed and all lines split again.

#define RANGE 8 // two header words: the number of the last launch with numbers out of range

#include "kernels/matmul/planes.cuh"

#define BEYOND_LEAST 0x1p-62f // products of two such numbers and of their low parts are still normal floats
#define PLAIN (-30)           // the scale of every line while all numbers are in range, or 0:
#define RANGE_LEAST 0x1p-50f
#define RANGE_MOST 0x1p40f
#define DEPTH 64 // of one block
#define LINES 32 // of one block
#ifndef FALLBACK
#define FALLBACK 0 // 1: scales are known, and the work is done only if the header requests it
#endif
#define WANTED 4 // this word of the header

// The nearest bfloat16 of two floats, and the inverse.
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

// Eight numbers of one line, from `k` on: adjacent in memory if `along_k`.
static __device__ void read(float *numbers, const float *x, long line, long k, long lines, long depth, long stride,
                            bool along_k)
{
    if (along_k && line < lines && k + 8 <= depth && stride % 4 == 0 && (ulong)x % 16 == 0) {
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

static __device__ __forceinline__ volatile ulong *range_flag(char *work)
{
    return (volatile ulong *)(work + 4 * RANGE);
}

// Splits LINES lines, DEPTH deep. Without scales, a number out of range sets `flag` to `epoch`. A warp takes 8 lines,
// 32 deep, if k is contiguous in memory; otherwise 32 lines, 8 deep.
static __device__ void split(const float *x, uint4 *planes, const int *scales, uint *beyond, long block_line,
                             long block_k, long lines, long depth, long stride, bool along_k, int tile,
                             volatile ulong *flag, long epoch)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long line = block_line * LINES + (along_k ? warp % 4 * 8 + lane % 8 : lane);
    long eighth = block_k * (DEPTH / 8) + (along_k ? warp / 4 * 4 + lane / 8 : warp);
    long steps = max(1l, (depth + DEPTH - 1) / DEPTH) * (DEPTH / 16);
    int scale = (scales ? scales[line] : PLAIN) + 31;
    float numbers[8], first = power_of_two(scale / 2), second = power_of_two(scale - scale / 2);
    bool small = false, out = false;
    read(numbers, x, line, eighth * 8, lines, depth, stride, along_k);
#pragma unroll
    for (int i = 0; i < 8; i++) {
        out |= numbers[i] != 0 && (fabsf(numbers[i]) < RANGE_LEAST || fabsf(numbers[i]) > RANGE_MOST);
        numbers[i] = numbers[i] * first * second;
        small |= numbers[i] != 0 && fabsf(numbers[i]) < BEYOND_LEAST;
    }
    if (!scales && out)
        *flag = epoch;
    if (scales && small)
        beyond[line] = 1;
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

// Finds the largest magnitudes if numbers were out of range; otherwise all lines have the same scale.
extern "C" __global__ void __launch_bounds__(256, 6)
    find_scales_in_need(const float *a, const float *b, char *work, long m, long n, long k, long lda, long ldb,
                        long lines_a, long lines_b, long parts, long epoch)
{
    const long lines = lines_a + lines_b;
    if (*range_flag(work) == epoch) {
        find_largest(a, b, work, m, n, k, lda, ldb, lines_a, lines_b, parts);
        return;
    }
    for (long i = blockIdx.x * 256 + threadIdx.x; i < lines; i += gridDim.x * 256) {
        SCALES(work, lines)[i] = PLAIN;
        BEYOND(work, lines)[i] = 0;
    }
}

// Computes each line's scale from the largest magnitudes of the parts of its depth.
extern "C" __global__ void __launch_bounds__(256) settle_scales(char *work, long lines, long epoch)
{
    long line = blockIdx.x * 256 + threadIdx.x;
    if (line >= lines || *range_flag(work) != epoch)
        return;
    uint largest = 0;
#pragma unroll
    for (int part = 0; part < PARTS; part++)
        largest = max(largest, LARGEST(work, lines)[part * lines + line]);
    SCALES(work, lines)[line] = scale_of(largest);
}

// Blocks of A come first, then those of B; k varies fastest. `plainly`: all blocks are split, with one scale; otherwise
// only on request.
extern "C" __global__ void __launch_bounds__(256)
    split_planes(const float *a, const float *b, char *work, long planes, long m, long n, long k, long lda, long ldb,
                 long lines_a, long lines_b, long plainly, long epoch)
{
    long lines = lines_a + lines_b, deep = max(1l, (k + DEPTH - 1) / DEPTH);
    volatile ulong *flag = range_flag(work);
    if (FALLBACK ? !((const uint *)work)[WANTED] : !plainly && *flag != epoch)
        return;
    uint4 *to = (uint4 *)(work + planes);
    const int *scales = plainly ? 0 : SCALES(work, lines);
    uint *beyond = BEYOND(work, lines);
    for (long at = blockIdx.x; at < lines / LINES * deep; at += gridDim.x) {
        long block_line = at / deep, block_k = at % deep;
        if (block_line < lines_a / LINES)
            split(a, to, scales, beyond, block_line, block_k, m, k, lda, !TRANSA, TILE_M, flag, epoch);
        else
            split(b, to + lines_a * deep * (DEPTH * 6 / 16), scales ? scales + lines_a : 0, beyond + lines_a,
                  block_line - lines_a / LINES, block_k, n, k, ldb, TRANSB, TILE_N, flag, epoch);
    }
}
