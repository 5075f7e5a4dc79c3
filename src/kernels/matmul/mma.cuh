// Products of elements of 16 bits with the instructions that a warp gives to its tensor core itself: ldmatrix brings
// fragments from shared memory, mma.sync multiplies 16 × 16 by 16 × 8. Files that include this define STAGES: of the
// depth in shared memory. With more than one, asynchronous copies (cp.async) fetch the stages ahead. SPANS: groups
// share the depth of a tile (mma_spans.cu).

#include "kernels/matmul/half.cuh"

#include "kernels/matmul/shifted.cuh"

#ifndef TILE
#define TILE 128 // rows and columns of a group; each of its eight warps has 64 × 32
#endif
#ifndef SPANS
#define SPANS 0
#endif
#if SPANS
#include "kernels/matmul/arrivals.cuh"

#endif
#define PIECES_EACH (TILE / 32) // 16 rows, and 8 columns, of a warp
#define DEPTH 32                // of a stage
#define ITEMS 256
#define BYTES (TILE * DEPTH * 2) // of an operand's stage

// ---- operands in shared memory --------------------------------------------------------------------------------------

// TILE rows of op(A), or columns of op(B). ALONG: depth is contiguous in memory. Pieces of 16 bytes lie as in memory,
// in rows of DEPTH or of TILE elements, but swizzled: the eight pieces that ldmatrix reads at once are in different
// banks.
template <bool ALONG> struct operand {
    static const int WIDTH = ALONG ? DEPTH : TILE, PIECES = WIDTH / 8;
    static const int EACH = TILE * DEPTH / 8 / ITEMS; // pieces of an item, in rows that are STEP apart
    static const int STEP = ITEMS / PIECES;
    const element *x, *end; // the matrix, and behind its last element
    const element *next;    // the item's first piece of the next stage
    long ld, line, lines, depth;
    bool is_whole; // rows begin at multiples of 16 bytes, and all lines of the tile exist

    static __device__ __forceinline__ int place_of(int row, int piece)
    {
        // begin place
        return row * WIDTH * 2 + (ALONG ? piece ^ row / 2 % 4 : piece ^ row % 8) * 16;
        // end place
    }

    // Its depths from `from` to before `depth`.
    __device__ __forceinline__ operand(const element *x, long ld, long line, long lines, long from, long depth)
        : x(x), ld(ld), line(line), lines(lines), depth(depth)
    {
        const long row = threadIdx.x / PIECES, piece = threadIdx.x % PIECES * 8;
        end = x + ((ALONG ? lines : depth) - 1) * ld + (ALONG ? depth : lines);
        next = ALONG ? x + (line + row) * ld + from + piece : x + (from + row) * ld + line + piece;
        is_whole = ld % 8 == 0 && (ulong)x % 16 == 0 && line + TILE <= lines;
    }

    // A piece that is not whole in the matrix, or begins anywhere: its elements within, and zeros.
    static __device__ uint4 load_part(const element *from, const element *end, long valid)
    {
        uint4 piece = {0, 0, 0, 0};
        if (valid > 0)
            piece = load_shifted(from, end);
        uint *words = (uint *)&piece;
#pragma unroll
        for (int i = 0; i < 4; i++)
            words[i] &= valid >= 2 * i + 2 ? ~0u : valid > 2 * i ? 0xffffu : 0;
        return piece;
    }

    static __device__ __forceinline__ void store(uint at, uint4 v)
    {
        asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
                     : "memory");
    }

    // At an edge, or of rows that begin anywhere.
    __device__ void fetch_parts(uint to, long k) const
    {
        uint4 pieces[EACH]; // all loads are under way before the first is waited for
        const int row = threadIdx.x / PIECES, piece = threadIdx.x % PIECES;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const long at = row + i * STEP, r = ALONG ? line + at : k + at, c = (ALONG ? k : line) + piece * 8;
            const long there = (ALONG ? r < lines : r < depth) ? (ALONG ? depth : lines) - c : 0;
            pieces[i] = load_part(x + r * ld + c, end, there);
        }
#pragma unroll
        for (int i = 0; i < EACH; i++)
            store(to + place_of(row + i * STEP, piece), pieces[i]);
    }

    // The next stage, from depth k on.
    __device__ __forceinline__ void fetch(uint to, long k)
    {
        const int row = threadIdx.x / PIECES, piece = threadIdx.x % PIECES;
        if (!is_whole || k + DEPTH > depth) {
            fetch_parts(to, k);
            return;
        }
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const uint at = to + place_of(row + i * STEP, piece);
#if STAGES > 1
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(next + i * STEP * ld) : "memory");
#else
            store(at, *(const uint4 *)(next + i * STEP * ld));
#endif
        }
        next += ALONG ? DEPTH : DEPTH * ld;
    }
};

typedef operand<!TRANSA> operand_a;
typedef operand<TRANSB> operand_b;

// ---- fragments ------------------------------------------------------------------------------------------------------

// Four matrices of 8 × 8. Each item names a row of 16 bytes: items 0 to 7 those of the first matrix. Turned where depth
// is not contiguous.
template <bool TURNED> static __device__ __forceinline__ void load_matrices(uint (&to)[4], uint from)
{
    if (TURNED)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(from)
                     : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(from)
                     : "memory");
}

// 16 rows of A from `row` on, 16 deep from k on: rows 0 and 8, depths 0; then depths 8.
static __device__ __forceinline__ void load_a(uint (&to)[4], uint from, int row, int k)
{
    const int lane = threadIdx.x % 32;
    if (!TRANSA)
        load_matrices<false>(to, from + operand_a::place_of(row + lane % 16, k / 8 + lane / 16));
    else
        load_matrices<true>(to, from + operand_a::place_of(k + lane / 16 * 8 + lane % 8, row / 8 + lane / 8 % 2));
}

// 16 columns of B: depths 0 and 8 of columns 0, then of columns 8.
static __device__ __forceinline__ void load_b(uint (&to)[4], uint from, int col, int k)
{
    const int lane = threadIdx.x % 32;
    if (TRANSB)
        load_matrices<false>(to, from + operand_b::place_of(col + lane / 16 * 8 + lane % 8, k / 8 + lane / 8 % 2));
    else
        load_matrices<true>(to, from + operand_b::place_of(k + lane / 8 % 2 * 8 + lane % 8, col / 8 + lane / 16));
}

static __device__ __forceinline__ void multiply(float (&sum)[4], const uint (&a)[4], uint b0, uint b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." PTX_TYPE "." PTX_TYPE ".f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

typedef float sums[PIECES_EACH][PIECES_EACH][4]; // of an item

// A stage of the warp's results.
static __device__ __forceinline__ void multiply_stage(sums &sum, uint from, int row, int col)
{
#pragma unroll
    for (int k = 0; k < DEPTH; k += 16) {
        uint a[PIECES_EACH][4], b[PIECES_EACH / 2][4];
#pragma unroll
        for (int i = 0; i < PIECES_EACH; i++)
            load_a(a[i], from, row + 16 * i, k);
#pragma unroll
        for (int j = 0; j < PIECES_EACH / 2; j++)
            load_b(b[j], from + BYTES, col + 16 * j, k);
#pragma unroll
        for (int i = 0; i < PIECES_EACH; i++)
#pragma unroll
            for (int j = 0; j < PIECES_EACH; j++)
                multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
}

// ---- the kernel -----------------------------------------------------------------------------------------------------

// Adds the depths from `from` to before `to`.
static __device__ __forceinline__ void add_depth(sums &sum, operand_a &rows, operand_b &cols, uint start, int row,
                                                 int col, long from, long to)
{
#if STAGES > 1
#pragma unroll
    for (int stage = 0; stage < STAGES - 1; stage++) {
        if (from + stage * DEPTH < to) {
            rows.fetch(start + stage * 2 * BYTES, from + stage * DEPTH);
            cols.fetch(start + stage * 2 * BYTES + BYTES, from + stage * DEPTH);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    int slot = 0, ahead = STAGES - 1;
    for (long k = from; k < to; k += DEPTH) {
        // begin stages
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads(); // this stage is there for all, and all have left the one that is fetched now
        const long next = k + (STAGES - 1) * DEPTH;
        if (next < to) {
            rows.fetch(start + ahead * 2 * BYTES, next);
            cols.fetch(start + ahead * 2 * BYTES + BYTES, next);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        // end stages
        multiply_stage(sum, start + slot * 2 * BYTES, row, col);
        slot = slot + 1 == STAGES ? 0 : slot + 1;
        ahead = ahead + 1 == STAGES ? 0 : ahead + 1;
    }
#else
    for (long k = from; k < to; k += DEPTH) {
        // begin stage
        rows.fetch(start, k);
        cols.fetch(start + BYTES, k);
        __syncthreads();
        multiply_stage(sum, start, row, col);
        __syncthreads();
        // end stage
    }
#endif
}

#if SPANS
// Leaves the item's sums in scratch memory. True in the group that comes last: its sums are then those of all spans.
static __device__ __forceinline__ bool add_spans(sums &sum, char *work, long sums_at, ulong epoch, long tile, long span,
                                                 long spans, bool once)
{
    float4 *left = (float4 *)(work + sums_at) + tile * spans * (TILE * TILE / 4) + threadIdx.x;
#pragma unroll
    for (int i = 0; i < PIECES_EACH * PIECES_EACH; i++) {
        float *s = sum[i / PIECES_EACH][i % PIECES_EACH];
        __stcg(left + span * (TILE * TILE / 4) + i * ITEMS, make_float4(s[0], s[1], s[2], s[3]));
        s[0] = s[1] = s[2] = s[3] = 0;
    }
    if (!all_have_come((ulong *)work + tile * (spans + 1), span, spans, epoch, once))
        return false;
    for (long other = 0; other < spans; other++)
#pragma unroll
        for (int i = 0; i < PIECES_EACH * PIECES_EACH; i++) {
            float *s = sum[i / PIECES_EACH][i % PIECES_EACH];
            const float4 more = __ldcg(left + other * (TILE * TILE / 4) + i * ITEMS);
            s[0] += more.x, s[1] += more.y, s[2] += more.z, s[3] += more.w;
        }
    return true;
}
#endif

extern "C" __global__ void __launch_bounds__(ITEMS, TILE == 64 ? 3 : 2)
#if SPANS
    matmul(const element *a, const element *b, outcome *c, char *work, long sums_at, long epoch, long m, long n, long k,
           float alpha, float beta, long lda, long ldb, long ldc, long spans, long slice)
#else
    matmul(const element *a, const element *b, outcome *c, long m, long n, long k, float alpha, float beta, long lda,
           long ldb, long ldc)
#endif
{
    extern __shared__ __align__(128) char shared[];
    const uint start = __cvta_generic_to_shared(shared);
    const matrices of = {a, b, c, m, n, k, alpha, beta, lda, ldb, ldc};
    const int tiles_m = (m + TILE - 1) / TILE, tiles_n = (n + TILE - 1) / TILE;
#if SPANS
    const int number = blockIdx.x % (tiles_m * tiles_n), span = blockIdx.x / (tiles_m * tiles_n);
    const long from = span * slice, to = min(k, from + slice);
#else
    const int number = blockIdx.x;
    const long from = 0, to = k;
#endif
    const place tile = place_of(number, tiles_m, tiles_n);
    const long first_row = (long)tile.row * TILE, first_col = (long)tile.col * TILE;
    operand_a rows(a, lda, first_row, m, from, to);
    operand_b cols(b, ldb, first_col, n, from, to);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = warp / 4 * (TILE / 2),
              col = warp % 4 * (TILE / 4);
    sums sum = {};
    add_depth(sum, rows, cols, start, row, col, from, to);
#if SPANS
    if (spans > 1 && !add_spans(sum, work, sums_at, epoch, number, span, spans, beta != 0))
        return;
#endif
#pragma unroll
    for (int i = 0; i < PIECES_EACH; i++)
#pragma unroll
        for (int j = 0; j < PIECES_EACH; j++)
#pragma unroll
            for (int s = 0; s < 4; s += 2)
                put_pair(of, first_row + row + 16 * i + lane / 4 + s / 2 * 8, first_col + col + 8 * j + lane % 4 * 2,
                         sum[i][j][s], sum[i][j][s + 1]);
}
