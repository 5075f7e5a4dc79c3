// rung:    mma-shallow
// idea:    a small depth: results leave in whole lines straight from registers, as a warp's rows all begin alike
// tune:    STEPS = max(1, min(8, ceil(k / 16))) in 1 2 3 4 5 6 7 8
// tune:    STRIDE = 8 + 8 * (k <= 32 && m * n >= 2000000) in 8 16
// tune:    TILE_N = 64 + 64 * (m * n >= 3200000) in 64 128 256
// group:   256
// groups:  ceil((n + STRIDE - 1) / TILE_N) * ceil(m / (16 * STRIDE))
// local:   (TILE_N + STRIDE) * (2 * STEPS + 1) * 16 + (TILE_N + STRIDE) * 4
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// require: element_bytes == 2, multiplies elements of 16 bits
// require: compute >= 8.0, needs mma.sync of 16 x 8 x 16, which GPUs have from compute capability 8.0 on
// require: k <= 16 * STEPS, has the whole depth in shared memory: at most 128
// require: ceil((n + STRIDE - 1) / TILE_N) * ceil(m / (16 * STRIDE)) < 2147483648, counts tiles in 32 bits
// tensor:  1
// takes:   result f16 bf16

// With a small depth the results are most of the traffic. Rows of C may begin anywhere, but rows that are STRIDE apart
// begin at the same place of a sector. So a warp takes sixteen of those, and columns from such a beginning on: each
// item has eight neighbouring results of a row, and stores them at once. Columns of B lie in shared memory with their
// whole depth, so that fragments begin at any column.

#include "kernels/matmul/half.cuh"

#define TILE_M (16 * STRIDE)
#define ITEMS 256
#define WARPS 8
#define COLS (TILE_N + STRIDE) // in shared memory: a window begins up to STRIDE - 1 columns before the tile

// Where the column's piece of eight depths lies: eight columns of which two are neighbours and pairs eight apart, are
// in different banks, and eight neighbours as well.
static __device__ __forceinline__ int place_of(int column, int piece)
{
    return (column * (2 * STEPS + 1) + column / 8 * 2 + piece) * 16;
}

// The depth at place p of a step: an item's four of both halves are neighbours.
static __device__ __forceinline__ int depth_at(int half, int pair)
{
    return 4 * pair + 2 * half;
}

// Lines of a matrix whose depths are `down` apart, of which `depth` exist.
struct lines {
    const element *x;
    long across, down, depth;
    bool in_words; // two depths are one word

    __device__ __forceinline__ lines(const element *x, long ld, bool along, long depth)
        : x(x), across(along ? ld : 1), down(along ? 1 : ld), depth(depth)
    {
        in_words = along && (ld % 2 | depth % 2 | (ulong)x % 4) == 0;
    }

    // Two depths of a line, from k on: zeros where none is.
    __device__ __forceinline__ uint two_of(long line, bool exists, long k) const
    {
        const element *at = x + line * across + k * down;
        if (in_words)
            return exists && k < depth ? *(const uint *)at : 0;
        return (exists && k < depth ? *at : 0) | (uint)(exists && k + 1 < depth ? at[down] : 0) << 16;
    }
};

// Columns from `first` on.
static __device__ __forceinline__ void fetch_columns(char *shared, const lines &b, long first, long n)
{
#pragma unroll 2
    for (int i = threadIdx.x; i < COLS * 2 * STEPS; i += ITEMS) {
        const int column = i % COLS, piece = i / COLS;
        const long col = first + column;
        uint words[4];
#pragma unroll
        for (int pair = 0; pair < 4; pair++)
            words[pair] = b.two_of(col, col >= 0 && col < n, piece / 2 * 16 + depth_at(piece % 2, pair));
        *(uint4 *)(shared + place_of(column, piece)) = make_uint4(words[0], words[1], words[2], words[3]);
    }
}

// Sixteen rows from `row` on, STRIDE apart.
static __device__ __forceinline__ void fetch_rows(uint (&to)[STEPS][4], const lines &a, long row, long m)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int step = 0; step < STEPS; step++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            // begin apart
            const long r = row + (lane / 4 + i % 2 * 8) * STRIDE;
            to[step][i] = a.two_of(r, r < m, step * 16 + depth_at(i / 2, lane % 4));
            // end apart
        }
}

static __device__ __forceinline__ void load_matrices(uint (&to)[4], uint from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from)
                 : "memory");
}

static __device__ __forceinline__ void multiply(float (&sum)[4], const uint (&a)[4], uint b0, uint b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." PTX_TYPE "." PTX_TYPE ".f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

#if !RESULT
static __device__ __forceinline__ uint pack(float low, float high)
{
    uint both;
#if ELEMENT_HALF == 16
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
#else
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
#endif
    return both;
}
#endif

static __device__ __forceinline__ void store(void *to, uint x, uint y, uint z, uint w)
{
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(x), "r"(y), "r"(z), "r"(w) : "memory");
}

// Eight neighbouring results of a row, at a multiple of 16 bytes.
static __device__ __forceinline__ void put_eight(const matrices &of, long row, long col, const float (&sum)[8])
{
    if (row >= of.m)
        return;
    if (of.beta != 0 || col < 0 || col + 8 > of.n) {
#pragma unroll
        for (int i = 0; i < 8; i++)
            if (col + i >= 0)
                put(of, row, col + i, sum[i]);
        return;
    }
    outcome *to = of.c + row * of.ldc + col;
#if RESULT
#pragma unroll
    for (int i = 0; i < 8; i += 4)
        store(to + i, __float_as_uint(of.alpha * sum[i]), __float_as_uint(of.alpha * sum[i + 1]),
              __float_as_uint(of.alpha * sum[i + 2]), __float_as_uint(of.alpha * sum[i + 3]));
#else
    store(to, pack(of.alpha * sum[0], of.alpha * sum[1]), pack(of.alpha * sum[2], of.alpha * sum[3]),
          pack(of.alpha * sum[4], of.alpha * sum[5]), pack(of.alpha * sum[6], of.alpha * sum[7]));
#endif
}

// Products of the rows and 32 columns, the first of them number `column` in shared memory and `col` of C. Eight columns
// that are multiplied at once are two of each eight neighbours, so that an item of four has two of its own eight.
static __device__ __forceinline__ void multiply_columns(const uint (&rows)[STEPS][4], uint start, int column,
                                                        const matrices &of, long row, long col)
{
    const int lane = threadIdx.x % 32;
    const int from = column + lane % 8 / 2 * 8 + lane / 16 * 2 + lane % 2;
    float sum[4][4] = {};
#pragma unroll
    for (int step = 0; step < STEPS; step++)
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
            uint b[4];
            load_matrices(b, start + place_of(from + 2 * j, 2 * step + lane / 8 % 2));
            multiply(sum[j], rows[step], b[0], b[1]);
            multiply(sum[j + 1], rows[step], b[2], b[3]);
        }
#pragma unroll
    for (int half = 0; half < 2; half++) {
        float eight[8];
#pragma unroll
        for (int i = 0; i < 8; i++)
            eight[i] = sum[i / 2][half * 2 + i % 2];
        put_eight(of, row + (lane / 4 + half * 8) * STRIDE, col + lane % 4 * 8, eight);
    }
}

extern "C" __global__ void __launch_bounds__(ITEMS, STEPS > 4 ? 3 : 4)
    matmul(const element *a, const element *b, outcome *c, long m, long n, long k, float alpha, float beta, long lda,
           long ldb, long ldc)
{
    extern __shared__ __align__(128) char shared[];
    const uint start = __cvta_generic_to_shared(shared);
    const matrices of = {a, b, c, m, n, k, alpha, beta, lda, ldb, ldc};
    const int tiles_n = (n + STRIDE - 1 + TILE_N - 1) / TILE_N, warp = threadIdx.x / 32;
    const long first_col = (long)(blockIdx.x % tiles_n) * TILE_N, first = (long)(blockIdx.x / tiles_n) * TILE_M;
    const long row = first + warp;
    uint rows[STRIDE / WARPS][STEPS][4];
#pragma unroll
    for (int turn = 0; turn < STRIDE / WARPS; turn++)
        fetch_rows(rows[turn], lines(a, lda, !TRANSA, k), row + turn * WARPS, m);
    fetch_columns(shared, lines(b, ldb, TRANSB, k), first_col - STRIDE, n);
    __syncthreads();
#pragma unroll
    for (int turn = 0; turn < STRIDE / WARPS; turn++) {
        const long from = row + turn * WARPS;
        const int shift = (ulong)(c + from * ldc) % (STRIDE * sizeof(outcome)) / sizeof(outcome);
#pragma unroll 1
        for (int i = 0; from < m && i < TILE_N && first_col - shift + i < n; i += 32)
            multiply_columns(rows[turn], start, STRIDE - shift + i, of, from, first_col - shift + i);
    }
}
