// What three bfloat16 parts do not hold: NaN, infinity and sums so small that lost low parts could matter are computed
// again from the floats. A group's sums, in wgmma's layout, go to shared memory in rows of PITCH floats.
//
// SWAPPED: rows of the sums are columns of the product.

struct matrices {
    const float *a, *b;
    float *c;
    long m, n, k, lda, ldb, ldc;
    float alpha, beta;
};

// The matrices of one product of a batch, which follow those of the one before.
static __device__ __forceinline__ matrices matrices_of(const matrices &first, long product)
{
    matrices of = first;
    of.a += product * of.lda * (TRANSA ? of.k : of.m);
    of.b += product * of.ldb * (TRANSB ? of.n : of.k);
    of.c += product * of.ldc * of.m;
    return of;
}

// A group's tile and its slice of the depth.
struct piece {
    long row, col, from, to;
};

// The lanes of a warp share the depth; all get the sum.
static __device__ __noinline__ float multiply_plainly(const float *a, const float *b, long step_a, long step_b,
                                                      long depth)
{
    float sum = 0;
#pragma unroll 4
    for (long k = threadIdx.x % 32; k < depth; k += 32)
        sum += a[k * step_a] * b[k * step_b];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0u, sum, step);
    return sum;
}

// The slice of a result's sum, in float arithmetic.
static __device__ __forceinline__ float again(const matrices &of, const piece &own, long row, long col)
{
    const long step_a = TRANSA ? of.lda : 1, step_b = TRANSB ? 1 : of.ldb;
    return multiply_plainly(of.a + row * (TRANSA ? 1 : of.lda) + own.from * step_a,
                            of.b + col * (TRANSB ? of.ldb : 1) + own.from * step_b, step_a, step_b, own.to - own.from);
}

// Row and column, within the tile, of the item's sum i.
static __device__ __forceinline__ int row_of(int i)
{
    const int lane = threadIdx.x % 32;
    return SWAPPED ? i / 4 * 8 + lane % 4 * 2 + i % 2 : threadIdx.x / 32 * 16 + lane / 4 + i / 2 % 2 * 8;
}

static __device__ __forceinline__ int col_of(int i)
{
    const int lane = threadIdx.x % 32;
    return SWAPPED ? threadIdx.x / 32 * 16 + lane / 4 + i / 2 % 2 * 8 : i / 4 * 8 + lane % 4 * 2 + i % 2;
}

// A sum that the parts do not hold, or may not.
static __device__ __forceinline__ bool is_doubtful(float sum, float least)
{
    return !(fabsf(sum) >= least && fabsf(sum) <= 3.4e38f);
}

// Of the item's pairs of sums with a doubtful one, those in the matrix.
static __device__ __forceinline__ uint pairs_inside(uint pairs, const matrices &of, const piece &own)
{
    uint inside = 0;
    for (uint left = pairs; left; left &= left - 1) {
        const int i = 2 * (__ffs(left) - 1);
        if (own.row + row_of(i) < of.m && own.col + col_of(i) < of.n)
            inside |= left & -left;
    }
    return inside;
}

// Stores the sums in shared memory. Sums below `least`, NaN and infinity are computed again, each by a whole warp. Even
// random numbers give a sum of exactly 0 now and then, about once in 5e7, so a warp goes straight to it. True if
// several of the item's were.
static __device__ __forceinline__ bool leave_tile(const float (&sum)[SUMS], const matrices &of, const piece &own,
                                                  float *tile, float least)
{
    uint pairs = 0;
#pragma unroll
    for (int i = 0; i < SUMS; i += 2) {
        float *const to = tile + row_of(i) * PITCH + col_of(i);
        if (SWAPPED)
            to[0] = sum[i], to[PITCH] = sum[i + 1];
        else
            *(float2 *)to = make_float2(sum[i], sum[i + 1]);
        if (is_doubtful(sum[i], least) || is_doubtful(sum[i + 1], least))
            pairs |= 1u << i / 2;
    }
    if (!__any_sync(~0u, pairs))
        return false;
    pairs = pairs_inside(pairs, of, own);
    __syncwarp(); // the other lanes' sums are in shared memory
    int count = 0;
    for (uint lanes; (lanes = __ballot_sync(~0u, pairs));) {
        const int lane = __ffs(lanes) - 1, first = 2 * (__ffs(__shfl_sync(~0u, pairs, lane)) - 1);
        for (int i = first; i < first + 2; i++) {
            const int row = __shfl_sync(~0u, row_of(i), lane), col = __shfl_sync(~0u, col_of(i), lane);
            float &value = tile[row * PITCH + col];
            if (own.row + row >= of.m || own.col + col >= of.n || !is_doubtful(value, least))
                continue;
            const float sum = again(of, own, own.row + row, own.col + col);
            __syncwarp(); // all lanes have read the old value
            if (threadIdx.x % 32 == lane)
                value = sum, count++;
        }
        if (threadIdx.x % 32 == lane)
            pairs &= pairs - 1;
    }
    return count > 1;
}
