// Two float16 parts of each float; planes.cuh describes their layout.

#include "kernels/matmul/planes.cuh"

#define EXACT_LEAST 0x1p-13f // from here on both parts have all their bits
#define LARGE_LEAST 1.0f     // at least 2^-14 of the largest
#define DEEP 4               // blocks of 64 deep for each group, if lines lie across memory

static __device__ uint to_pair(float first, float second)
{
    uint pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    return pair;
}

static __device__ void from_pair(uint pair, float &first, float &second)
{
    asm("{.reg .f16 x, y; mov.b32 {x, y}, %2; cvt.f32.f16 %0, x; cvt.f32.f16 %1, y;}"
        : "=f"(first), "=f"(second)
        : "r"(pair));
}

// Facts about a line. `bits` is the bitwise or of its numbers, in units of 2^-9 (the last place of the largest number).
// It includes NOT_WHOLE if a number is not a multiple of that unit, INEXACT if two parts cannot represent a number, and
// TWO_PARTS if a number needs both parts. `sum` is the sum of magnitudes.
//
// Lines of integers have small sums in units of their last bit. Their products are exact in float arithmetic, so the
// rung must make them exact, too (see the multiplying kernel).
struct tally {
    uint lost, low, bits;
    ulong sum;
};
#define NOT_WHOLE (1u << 31)
#define INEXACT (1u << 30)
#define TWO_PARTS (1u << 29)

// Whether a number of a scaled line is not a multiple of the largest one's last place. Most lines have such numbers:
// two of each item are tested first, and if one of these is not whole, the line's others are not tested.
static __device__ bool not_whole(const float *numbers, int scale)
{
    float units = power_of_two(scale / 2) * 512, rest = power_of_two(scale - scale / 2);
    float x = numbers[0] * rest * units, y = numbers[1] * rest * units;
    return (float)__float2int_rz(x) != x || (float)__float2int_rz(y) != y;
}

static __device__ void note_integer(tally &t, float x, float rest, float low)
{
    float units = x * 512;
    int whole = __float2int_rz(units);
    t.bits |= ((float)whole == units ? whole & 0xffffff : NOT_WHOLE) | (rest != low ? INEXACT : 0) |
              (rest != 0 ? TWO_PARTS : 0);
    t.sum += abs(whole);
}

// Writes eight numbers of a line, from depth k on, to their chunks.
static __device__ void store_eight(tally &t, const float *numbers, int scale, char *to, long k, long depth)
{
    float first = power_of_two(scale / 2), second = power_of_two(scale - scale / 2);
    uint highs[4], lows[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float x = numbers[2 * i] * first * second, y = numbers[2 * i + 1] * first * second, x_high, y_high;
        highs[i] = to_pair(x, y);
        from_pair(highs[i], x_high, y_high);
        float x_rest = (x - x_high) * 2048, y_rest = (y - y_high) * 2048;
        lows[i] = to_pair(x_rest, y_rest);
        t.lost += (x != 0 && fabsf(x) < EXACT_LEAST) + (y != 0 && fabsf(y) < EXACT_LEAST);
        t.low += (fabsf(x) < LARGE_LEAST && k + 2 * i < depth) + (fabsf(y) < LARGE_LEAST && k + 2 * i + 1 < depth);
        if (!(t.bits & NOT_WHOLE)) {
            float x_low, y_low;
            from_pair(lows[i], x_low, y_low);
            note_integer(t, x, x_rest, x_low);
            note_integer(t, y, y_rest, y_low);
        }
    }
    *(uint4 *)to = make_uint4(lows[0], lows[1], lows[2], lows[3]);
    *(uint4 *)(to + 128 * 128) = make_uint4(highs[0], highs[1], highs[2], highs[3]);
}

// `blocks` is the number of blocks of 64 deep.
static __device__ char *chunk_at(char *planes, long line, long eighth, long blocks)
{
    return planes + ((line / 128 * blocks + eighth / 8) * 2 * 128 + line % 128) * 128 + (eighth % 8 ^ line % 8) * 16;
}

// Raises one of the header's counts to `count`.
static __device__ void raise(uint *most, uint count)
{
    if (count > *(volatile uint *)most)
        atomicMax(most, count);
}

// The destinations of a matrix's results: the header's counts, and its first line's entries.
struct notes {
    uint *most, *lost, *low, *bits;
    ulong *sum;
    int *scales;
};

static __device__ notes notes_of(char *work, long lines, long first, uint *most)
{
    return {most,
            LOST(work, lines) + first,
            LOW(work, lines) + first,
            BITS(work, lines) + first,
            SUM(work, lines) + first,
            SCALES(work, lines) + first};
}

// ---- lines along memory -------------------------------------------------------------------------------------------

static __device__ void read_eight(float *numbers, const float *line, long k, long depth, bool whole)
{
    if (whole && k + 8 <= depth) {
        *(float4 *)&numbers[0] = *(const float4 *)(line + k);
        *(float4 *)&numbers[4] = *(const float4 *)(line + k + 4);
        return;
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        numbers[i] = k + i < depth ? line[k + i] : 0.0f;
}

// Splits one line with one group. The first KEPT · 2048 numbers stay in registers after the search for the largest.
static __device__ void split_line(const float *x, char *planes, const notes &to, long line, long lines, long depth,
                                  long stride)
{
    __shared__ uint largest_of[8];
    __shared__ tally total;
    long blocks = max(1l, (depth + 63) / 64), eighths = blocks * 8;
    const long inside = line < lines ? depth : 0;
    const float *from = x + line * stride;
    bool whole = stride % 4 == 0 && (ulong)x % 16 == 0;
    float kept[KEPT][8];
    uint largest = 0;
#pragma unroll
    for (int i = 0; i < KEPT; i++) {
        read_eight(kept[i], from, (threadIdx.x + i * 256) * 8, inside, whole);
#pragma unroll
        for (int e = 0; e < 8; e++)
            largest = max(largest, magnitude(kept[i][e]));
    }
    for (long at = threadIdx.x + KEPT * 256; at * 8 < inside; at += 256) {
        float more[8];
        read_eight(more, from, at * 8, inside, whole);
#pragma unroll
        for (int e = 0; e < 8; e++)
            largest = max(largest, magnitude(more[e]));
    }
    largest = __reduce_max_sync(~0u, largest);
    if (threadIdx.x % 32 == 0)
        largest_of[threadIdx.x / 32] = largest;
    if (threadIdx.x == 0)
        total = {0, 0, 0, 0};
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; i++)
        largest = max(largest, largest_of[i]);
    int scale = scale_of(largest);
    tally t = {0, 0, __any_sync(~0u, not_whole(kept[0], scale)) ? NOT_WHOLE : 0, 0};
#pragma unroll
    for (int i = 0; i < KEPT; i++) {
        long at = threadIdx.x + i * 256;
        if (at < eighths)
            store_eight(t, kept[i], scale, chunk_at(planes, line, at, blocks), at * 8, inside);
    }
    for (long at = threadIdx.x + KEPT * 256; at < eighths; at += 256) {
        float more[8];
        read_eight(more, from, at * 8, inside, whole);
        store_eight(t, more, scale, chunk_at(planes, line, at, blocks), at * 8, inside);
    }
    uint lost = __reduce_add_sync(~0u, t.lost), low = __reduce_add_sync(~0u, t.low);
    uint bits = __reduce_or_sync(~0u, t.bits);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&total.lost, lost), atomicAdd(&total.low, low);
        atomicOr(&total.bits, bits);
    }
    if (!(bits & NOT_WHOLE))
        atomicAdd((unsigned long long *)&total.sum, t.sum);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    to.scales[line] = scale, to.bits[line] = total.bits, to.sum[line] = total.sum;
    if (largest) { // a line of zeros has no errors: its low numbers do not count
        raise(&to.most[0], total.lost);
        raise(&to.most[1], total.low);
    }
}

// ---- lines across memory ------------------------------------------------------------------------------------------

// Copies 64 deep of 64 lines to shared memory.
static __device__ void fetch_across(float (*shared)[65], const float *x, long line0, long k0, long lines, long depth,
                                    long stride)
{
    long line = line0 + threadIdx.x % 16 * 4;
    bool whole = stride % 4 == 0 && (ulong)x % 16 == 0 && line + 4 <= lines;
    float4 v[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        long k = k0 + threadIdx.x / 16 + i * 16;
        const float *from = x + k * stride + line;
        v[i] = make_float4(0, 0, 0, 0);
        if (k < depth && whole)
            v[i] = *(const float4 *)from;
        else if (k < depth) {
            v[i].x = line < lines ? from[0] : 0, v[i].y = line + 1 < lines ? from[1] : 0;
            v[i].z = line + 2 < lines ? from[2] : 0, v[i].w = line + 3 < lines ? from[3] : 0;
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float *to = &shared[threadIdx.x / 16 + i * 16][threadIdx.x % 16 * 4];
        to[0] = v[i].x, to[1] = v[i].y, to[2] = v[i].z, to[3] = v[i].w;
    }
    __syncthreads();
}

// Combines the results of eight adjacent lanes for one line, and adds them to the line's totals.
static __device__ void add_tally(const tally &t, const notes &to, long line)
{
    uint lost = t.lost, low = t.low, bits = t.bits;
    ulong sum = t.sum;
#pragma unroll
    for (int step = 1; step < 8; step *= 2) {
        lost += __shfl_xor_sync(~0u, lost, step), low += __shfl_xor_sync(~0u, low, step);
        bits |= __shfl_xor_sync(~0u, bits, step), sum += __shfl_xor_sync(~0u, sum, step);
    }
    if (threadIdx.x % 8 != 0)
        return;
    atomicOr(&to.bits[line], bits);
    if (!(bits & NOT_WHOLE))
        atomicAdd((unsigned long long *)&to.sum[line], sum);
    if (lost)
        raise(&to.most[0], lost + atomicAdd(&to.lost[line], lost));
    if (low)
        raise(&to.most[1], low + atomicAdd(&to.low[line], low));
}

// Splits 64 lines, DEEP blocks of 64 deep, through shared memory.
static __device__ void split_across(const float *x, char *planes, const notes &to, const uint *largest, long line0,
                                    long part, long lines, long depth, long stride, long all)
{
    __shared__ float shared[64][65];
    __shared__ uint most[4][64];
    __shared__ int scales[64];
    __shared__ bool zeros[64];
    long blocks = max(1l, (depth + 63) / 64);
    uint found = 0;
    for (int i = threadIdx.x / 64; i < PARTS; i += 4)
        found = max(found, largest[i * all + line0 + threadIdx.x % 64]);
    most[threadIdx.x / 64][threadIdx.x % 64] = found;
    __syncthreads();
    if (threadIdx.x < 64) {
        int i = threadIdx.x;
        found = max(max(most[0][i], most[1][i]), max(most[2][i], most[3][i]));
        scales[i] = scale_of(found);
        zeros[i] = found == 0;
        if (part == 0)
            to.scales[line0 + i] = scales[i];
    }
    tally t[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    for (long block = part * DEEP; block < min(blocks, (part + 1) * DEEP); block++) {
        fetch_across(shared, x, line0, block * 64, lines, depth, stride);
#pragma unroll
        for (int i = 0; i < 2; i++) {
            int line = threadIdx.x / 8 + i * 32, chunk = threadIdx.x % 8;
            float numbers[8];
#pragma unroll
            for (int e = 0; e < 8; e++)
                numbers[e] = shared[chunk * 8 + e][line];
            if (__ballot_sync(~0u, not_whole(numbers, scales[line])) >> (threadIdx.x % 32 & 24) & 0xff)
                t[i].bits |= NOT_WHOLE;
            store_eight(t[i], numbers, scales[line], chunk_at(planes, line0 + line, block * 8 + chunk, blocks),
                        (block * 8 + chunk) * 8, line0 + line < lines ? depth : 0);
        }
    }
#pragma unroll
    for (int i = 0; i < 2; i++) {
        int line = threadIdx.x / 8 + i * 32;
        if (zeros[line])
            t[i].low = 0; // a line of zeros has no errors
        add_tally(t[i], to, line0 + line);
    }
}

// B comes first: find_scales read its end last, and some of that is still in the L2 cache.
extern "C" __global__ void __launch_bounds__(256, KEPT <= 2   ? 4
                                                  : KEPT <= 4 ? 3
                                                              : 2)
    split_halves(const float *a, const float *b, char *work, long planes, long m, long n, long k, long lda, long ldb,
                 long lines_a, long lines_b)
{
    long lines = lines_a + lines_b, blocks = max(1l, (k + 63) / 64), deep = (blocks + DEEP - 1) / DEEP;
    long at = blockIdx.x, blocks_b = TRANSB ? lines_b : lines_b / 64 * deep;
    uint *most = (uint *)work, *largest = LARGEST(work, lines);
    char *planes_a = work + planes, *planes_b = planes_a + lines_a * blocks * 256;
    if (at < blocks_b) {
        const notes to = notes_of(work, lines, lines_a, most + 2);
        if (TRANSB)
            split_line(b, planes_b, to, at, n, k, ldb);
        else
            split_across(b, planes_b, to, largest + lines_a, at % (lines_b / 64) * 64, deep - 1 - at / (lines_b / 64),
                         n, k, ldb, lines);
        return;
    }
    at -= blocks_b;
    const notes to = notes_of(work, lines, 0, most);
    if (TRANSA)
        split_across(a, planes_a, to, largest, at % (lines_a / 64) * 64, deep - 1 - at / (lines_a / 64), m, k, lda,
                     lines);
    else
        split_line(a, planes_a, to, at, m, k, lda);
}
