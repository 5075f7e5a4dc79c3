// Splits the floats of op(A) and op(B) into parts for the tensor rungs, in the layout in which these copy the parts to
// shared memory. A line is a row of op(A) or a column of op(B). Each line is scaled by a power of two, 2^s, to a
// largest magnitude of 2^14 … 2^15 (2^45 … 2^46 for bfloat16). Precision is thus relative to the line, and tiny and
// huge matrices lose none.
//
// split_planes: x·2^(s+31) = high + middle + low, three bfloat16 of 8 bits each: all 24 bits of a float.
//     planes[tile][k / 16][part][k / 8 % 2][line in the tile][k % 8]; TILE_M lines of A or TILE_N of B make a tile.
//
// split_halves: x·2^s = high + low·2^-11, two float16 of 11 bits: 23 bits, down to 2^-27 of the line's largest number.
//     planes[tile][k / 64][low, high][line in the tile][k % 64]; 128 lines make a tile. A line's 128 bytes are
//     swizzled: the chunk of 16 bytes at `chunk` lies at chunk ^ line % 8.
//
// Zeros pad the edges. A number that is not finite gives NaN or infinity in a part.
//
// `work` begins with HEADER words: the largest counts of a line (lost and low, of A and of B), then flags. For each
// line follow lost (numbers that lose bits), low (numbers below 2^-14 of the largest), bits and sum (of integers, see
// struct tally), beyond (numbers too small for three parts), and its s. The largest magnitudes of the parts of the
// depth follow, and the planes are at `planes`.

#define PARTS 32
#define HEADER 1024
#ifndef RANGE
#define RANGE (-2) // first of two header words that are not cleared: none
#endif
#define TILE_M 128
#define LOST(work, lines) ((uint *)(work) + HEADER)
#define LOW(work, lines) (LOST(work, lines) + (lines))
#define BITS(work, lines) (LOST(work, lines) + 2 * (lines))
#define BEYOND(work, lines) (LOST(work, lines) + 3 * (lines))
#define SUM(work, lines) ((ulong *)(LOST(work, lines) + 4 * (lines)))
#define SCALES(work, lines) ((int *)(LOST(work, lines) + 6 * (lines)))
#define LARGEST(work, lines) (LOST(work, lines) + 7 * (lines))

// ---- numbers ------------------------------------------------------------------------------------------------------

static __device__ uint magnitude(float x)
{
    uint bits = __float_as_uint(x) & 0x7fffffff;
    return bits < 0x7f800000 ? bits : 0;
}

// Exponent s of a line with this largest magnitude (its bits).
static __device__ int scale_of(uint largest)
{
    if (largest == 0)
        return 0;
    return 14 - (largest >> 23 ? (int)(largest >> 23) - 127 : -118 - __clz(largest));
}

static __device__ float power_of_two(int exponent)
{
    return __uint_as_float((uint)(exponent + 127) << 23);
}

// ---- the largest magnitude of each line ---------------------------------------------------------------------------

// For 128 lines that lie across memory, in one part of the depth.
static __device__ void find_across(const float *x, uint *largest, long first, long part, long lines, long padded,
                                   long depth, long stride, long all)
{
    __shared__ uint4 shared[8][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long line = first + lane * 4, chunk = (depth + PARTS - 1) / PARTS, end = min(depth, (part + 1) * chunk);
    bool whole = stride % 4 == 0 && (ulong)x % 16 == 0 && line + 4 <= lines;
    uint4 most = make_uint4(0, 0, 0, 0);
#pragma unroll 4
    for (long k = part * chunk + warp; k < end; k += 8) {
        const float *from = x + k * stride + line;
        float4 v = make_float4(0, 0, 0, 0);
        if (whole)
            v = *(const float4 *)from;
        else {
            v.x = line < lines ? from[0] : 0, v.y = line + 1 < lines ? from[1] : 0;
            v.z = line + 2 < lines ? from[2] : 0, v.w = line + 3 < lines ? from[3] : 0;
        }
        most.x = max(most.x, magnitude(v.x)), most.y = max(most.y, magnitude(v.y));
        most.z = max(most.z, magnitude(v.z)), most.w = max(most.w, magnitude(v.w));
    }
    shared[warp][lane] = most;
    __syncthreads();
    if (warp > 0 || line >= padded)
        return;
    for (int i = 1; i < 8; i++) {
        uint4 other = shared[i][lane];
        most.x = max(most.x, other.x), most.y = max(most.y, other.y);
        most.z = max(most.z, other.z), most.w = max(most.w, other.w);
    }
    *(uint4 *)(largest + part * all + line) = most;
}

// For 8 lines along memory, one warp each, in one of `parts` parts of the depth; the parts beyond stay 0.
static __device__ void find_along(const float *x, uint *largest, long first, long part, long parts, long lines,
                                  long depth, long stride, long all)
{
    long line = first + threadIdx.x / 32, chunk = (depth + parts * 128 - 1) / (parts * 128) * 128;
    long end = line < lines ? min(depth, (part + 1) * chunk) : 0;
    const float *from = x + line * stride;
    bool whole = stride % 4 == 0 && (ulong)x % 16 == 0;
    uint most = 0;
#pragma unroll 4
    for (long k = part * chunk + threadIdx.x % 32 * 4; k < end; k += 128) {
        float4 v = make_float4(0, 0, 0, 0);
        if (whole && k + 4 <= end)
            v = *(const float4 *)(from + k);
        else {
            v.x = from[k], v.y = k + 1 < end ? from[k + 1] : 0;
            v.z = k + 2 < end ? from[k + 2] : 0, v.w = k + 3 < end ? from[k + 3] : 0;
        }
        most = max(max(most, max(magnitude(v.x), magnitude(v.y))), max(magnitude(v.z), magnitude(v.w)));
    }
    most = __reduce_max_sync(~0u, most);
    if (threadIdx.x % 32 == 0)
        largest[part * all + line] = most;
    for (long other = parts + threadIdx.x % 32; part == 0 && other < PARTS; other += 32)
        largest[other * all + line] = 0;
}

// Clears the counts, except the words RANGE and RANGE + 1, and finds the largest magnitudes. For lines along memory
// only if `parts` > 0, as split_halves finds these itself.
static __device__ __forceinline__ void find_largest(const float *a, const float *b, char *work, long m, long n, long k,
                                                    long lda, long ldb, long lines_a, long lines_b, long parts)
{
    long lines = lines_a + lines_b, at = blockIdx.x;
    for (long i = at * 256 + threadIdx.x; i < HEADER + 6 * lines; i += gridDim.x * 256)
        if (i / 2 != RANGE / 2)
            ((uint *)work)[i] = 0;
    uint *largest = LARGEST(work, lines);
    long across_a = (lines_a + 127) / 128, along_a = lines_a / 8;
    long blocks_a = TRANSA ? across_a * PARTS : along_a * parts;
    if (at < blocks_a) {
        if (TRANSA)
            find_across(a, largest, at % across_a * 128, at / across_a, m, lines_a, k, lda, lines);
        else
            find_along(a, largest, at % along_a * 8, at / along_a, parts, m, k, lda, lines);
        return;
    }
    at -= blocks_a;
    long across_b = (lines_b + 127) / 128, along_b = lines_b / 8;
    if (at < (TRANSB ? along_b * parts : across_b * PARTS)) {
        if (TRANSB)
            find_along(b, largest + lines_a, at % along_b * 8, at / along_b, parts, n, k, ldb, lines);
        else
            find_across(b, largest + lines_a, at % across_b * 128, at / across_b, n, lines_b, k, ldb, lines);
    }
}

extern "C" __global__ void __launch_bounds__(256, 6)
    find_scales(const float *a, const float *b, char *work, long m, long n, long k, long lda, long ldb, long lines_a,
                long lines_b, long parts)
{
    find_largest(a, b, work, m, n, k, lda, ldb, lines_a, lines_b, parts);
}
