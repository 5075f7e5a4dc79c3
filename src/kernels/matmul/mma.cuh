// Products of elements of 16 bits with the instructions that a warp gives to its tensor core itself: ldmatrix brings
// fragments from shared memory, mma.sync multiplies 16 × 16 by 16 × 8. Files that include this define STAGES: of the
// depth in shared memory. With more than one, asynchronous copies (cp.async) fetch the stages ahead. SPANS: groups
// share the depth of a tile (mma_spans.cu).

#include "kernels/matmul/half.cuh"

#include "kernels/matmul/shifted.cuh"

#ifndef TILE_M
#define TILE_M 128 // rows of a group, and its columns
#define TILE_N 128
#endif
#ifndef DEPTH
#define DEPTH 32 // of a stage
#endif
#ifndef SPANS
#define SPANS 0
#endif
#if SPANS
#include "kernels/matmul/arrivals.cuh"

#include "kernels/matmul/chunks.cuh"

#include "kernels/matmul/cluster.cuh"

#endif
#ifndef COPY_A
#define COPY_A 16 // bytes of A that are copied at once, and of B
#define COPY_B 16
#endif
#define ITEMS 256
// Of the eight warps, so many share the rows; a warp has at least 16 × 16 results.
#define WARPS_M (TILE_M == 16 ? 1 : TILE_N == 16 ? 8 : TILE_M > TILE_N ? 4 : 2)
#define WARPS_N (8 / WARPS_M)
#define PIECES_M (TILE_M / WARPS_M / 16) // 16 rows of a warp,
#define PIECES_N (TILE_N / WARPS_N / 8)  // and 8 columns

// ---- operands in shared memory --------------------------------------------------------------------------------------

// TILE rows of op(A), or columns of op(B). ALONG: depth is contiguous in memory. Pieces of 16 bytes lie as in memory,
// in rows of DEPTH or of TILE elements, but swizzled: the eight pieces that ldmatrix reads at once are in different
// banks. COPY: bytes that are copied at once, 4, 8 or 16.
template <bool ALONG, int TILE, int COPY> struct operand {
    static const int WIDTH = ALONG ? DEPTH : TILE, PIECES = WIDTH / 8, ROWS = ALONG ? TILE : DEPTH;
    static const int STEP = ITEMS / PIECES, EACH = (ROWS + STEP - 1) / STEP; // rows from piece to piece of an item
    static const int TURN = PIECES < 8 ? PIECES : 8;
    static const int BYTES = ROWS * WIDTH * 2;                        // of a stage,
    static const int SLOT = SPANS ? ROWS * (PIECES + 1) * 16 : BYTES; // and fetched: rows that begin anywhere have more
    static const int COPIES = WIDTH * 2 / COPY,
                     COPY_STEP = ITEMS / COPIES; // of a row; rows from part to part of an item
    static const int EACH_COPY = (ROWS + COPY_STEP - 1) / COPY_STEP;
    const element *x, *end; // the matrix, and behind its last element
    const element *next;    // the item's first piece, or part, of the next stage
    long ld, line, lines, depth;
    bool is_aligned; // rows begin at multiples of COPY bytes
#if SPANS
    long quick;       // up to this depth stages come whole, by asynchronous copies,
    uint came, place; // of the item's first piece, or part: where it comes, and where it is multiplied
    int shift, its_rows,
        more_rows; // bytes of a row before the piece; rows from the item's on, with it and with another
#else
    bool is_whole; // and all lines of the tile exist
#endif

    static __device__ __forceinline__ int place_of(int row, int piece)
    {
        // begin place
        return row * WIDTH * 2 + (piece ^ row / (8 / TURN) % TURN) * 16;
        // end place
    }

    // Of a narrow tile only the first items have pieces.
    static __device__ __forceinline__ bool has_piece(int i)
    {
        return ROWS % STEP == 0 || threadIdx.x / PIECES + i * STEP < ROWS;
    }

    // From depth `from` on.
    __device__ __forceinline__ operand(const element *x, long ld, long line, long lines, long from, long depth)
        : x(x), ld(ld), line(line), lines(lines), depth(depth)
    {
        const long row = threadIdx.x / PIECES, piece = threadIdx.x % PIECES * 8;
        end = x + ((ALONG ? lines : depth) - 1) * ld + (ALONG ? depth : lines);
        next = ALONG ? x + (line + row) * ld + from + piece : x + (from + row) * ld + line + piece;
        is_aligned = ld % (COPY / 2) == 0 && (ulong)x % COPY == 0;
#if SPANS
        set_quick(from);
#else
        is_whole = is_aligned && line + TILE <= lines;
#endif
    }

    // The first `valid` elements of a piece, and zeros.
    static __device__ __forceinline__ uint4 part_of(uint4 piece, int valid)
    {
        uint *words = (uint *)&piece;
#pragma unroll
        for (int i = 0; i < 4; i++)
            words[i] &= valid >= 2 * i + 2 ? ~0u : valid > 2 * i ? 0xffffu : 0;
        return piece;
    }

    // Piece i of the item at depth k: its address, and how many elements of the matrix begin there in its row.
    __device__ __forceinline__ const element *piece_at(int i, long k, long &there) const
    {
        const long at = threadIdx.x / PIECES + i * STEP;
        const long r = ALONG ? line + at : k + at, c = (ALONG ? k : line) + threadIdx.x % PIECES * 8;
        there = (ALONG ? r < lines : r < depth) ? (ALONG ? depth : lines) - c : 0;
        return x + r * ld + c;
    }

    static __device__ __forceinline__ void store(uint at, uint4 v)
    {
        asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
                     : "memory");
    }

#if SPANS
    // COUNT bytes, the first `bytes` of them from memory. The last ones of an array come one by one: an asynchronous
    // copy of fewer bytes than it writes counts as a read of them all.
    template <int COUNT> static __device__ __forceinline__ void copy(uint to, const void *from, long bytes)
    {
        if (bytes > 0 && bytes < COUNT) {
            uint words[COUNT / 4] = {};
#pragma unroll
            for (int i = 0; i < COUNT / 2 - 1; i++)
                words[i / 2] |= i < bytes / 2 ? (uint)((const ushort *)from)[i] << i % 2 * 16 : 0;
#pragma unroll
            for (int i = 0; i < COUNT / 4; i++)
                asm volatile("st.shared.b32 [%0], %1;" ::"r"(to + 4 * i), "r"(words[i]) : "memory");
            return;
        }
        if (COUNT == 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes > 0 ? 16 : 0)
                         : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(COUNT),
                         "r"(bytes > 0 ? COUNT : 0)
                         : "memory");
    }

    template <int COUNT> static __device__ __forceinline__ void copy_whole(uint to, const element *from, bool exists)
    {
        if (COUNT == 16)
            asm volatile("{.reg .pred exists; setp.ne.b32 exists, %2, 0;\n"
                         "@exists cp.async.cg.shared.global [%0], [%1], 16;}" ::"r"(to),
                         "l"(from), "r"((int)exists)
                         : "memory");
        else
            asm volatile("{.reg .pred exists; setp.ne.b32 exists, %2, 0;\n"
                         "@exists cp.async.ca.shared.global [%0], [%1], %3;}" ::"r"(to),
                         "l"(from), "r"((int)exists), "n"(COUNT)
                         : "memory");
    }

    // What is beyond the lines may be anything: no result is stored of it. So only a matrix' last elements are special:
    // the last piece of a row may reach beyond them. An item's rows lie a multiple of eight rows apart, so all begin at
    // the same place of 16 bytes.
    __device__ __forceinline__ void set_quick(long from)
    {
        const int per_row = is_aligned ? COPIES : PIECES, row = threadIdx.x / per_row, at = threadIdx.x % per_row;
        const int before = at * (is_aligned ? COPY / 2 : 8);
        next = ALONG ? x + (line + row) * ld + from + before : x + (from + row) * ld + line + before;
        shift = is_aligned ? 0 : (ulong)next % 16;
        next = (const element *)((ulong)next - shift);
        place = place_of(row, at);
        came = is_aligned ? copy_place(row, at) : (row * (PIECES + 1) + at) * 16;
        its_rows = (ALONG ? (int)min((long)TILE, lines - line) : before - shift / 2 < lines - line ? DEPTH : 0) - row;
        more_rows = at == PIECES - 1 && shift > 0 ? its_rows : 0;
        quick = depth - DEPTH;
        if (ALONG)
            quick -= !is_aligned && line + TILE >= lines ? 8 : 0;
        else
            quick -= !is_aligned ? (ld < 8 ? 8 : 1) : lines % (COPY / 2) != 0;
        keep(came), keep(place), keep(shift), keep(its_rows), keep(more_rows);
    }

    static __device__ __forceinline__ uint copy_place(int row, int part)
    {
        return place_of(row, part / (16 / COPY)) + part % (16 / COPY) * COPY;
    }

    // Its computation is not repeated in a loop.
    template <class number> static __device__ __forceinline__ void keep(number &value)
    {
        asm volatile("" : "+r"(value));
    }

    // A stage near the end of the matrix: what is beyond its depth comes as zeros.
    __device__ __forceinline__ void fetch_parts(uint to, long k) const
    {
        const char *first = (const char *)((ulong)x & ~15ul);
        if (is_aligned) {
#pragma unroll 4
            for (int i = threadIdx.x; i < ROWS * COPIES; i += ITEMS) {
                const long r = (ALONG ? line : k) + i / COPIES, c = (ALONG ? k : line) + i % COPIES * (COPY / 2);
                const long there = (ALONG ? r < lines : r < depth) ? (ALONG ? depth : lines) - c : 0;
                copy<COPY>(to + copy_place(i / COPIES, i % COPIES), there > 0 ? (const char *)(x + r * ld + c) : first,
                           2 * there);
            }
            return;
        }
        for (int i = threadIdx.x; i < ROWS * (PIECES + 1); i += ITEMS) {
            const long r = (ALONG ? line : k) + i / (PIECES + 1);
            const char *from = (const char *)((ulong)(x + r * ld + (ALONG ? k : line)) & ~15ul) + i % (PIECES + 1) * 16;
            const long bytes = r < (ALONG ? lines : depth) ? (const char *)end - from : 0;
            copy<16>(to + i * 16, bytes > 0 ? from : first, bytes);
        }
    }

    // The next stage, which is whole.
    template <bool SHIFTED> __device__ __forceinline__ void fetch_whole(uint to)
    {
        if (!SHIFTED) { // where four rows lie between parts, the swizzle of every second differs
#pragma unroll
            for (int i = 0; i < EACH_COPY; i++)
                copy_whole<COPY>(to + (came ^ i * COPY_STEP % 8 * 16) + i * COPY_STEP * WIDTH * 2,
                                 next + i * COPY_STEP * ld, i * COPY_STEP < its_rows);
        }
#pragma unroll
        for (int i = 0; SHIFTED && i < EACH; i++) {
            const uint at = to + came + i * STEP * (PIECES + 1) * 16;
            copy_whole<16>(at, next + i * STEP * ld, i * STEP < its_rows);
            copy_whole<16>(at + 16, next + i * STEP * ld + 8, i * STEP < more_rows);
        }
        next += ALONG ? DEPTH : DEPTH * ld;
    }

    // The next stage, from depth k on.
    __device__ __forceinline__ void fetch(uint to, long k)
    {
        if (k > quick)
            fetch_parts(to, k);
        else if (is_aligned)
            fetch_whole<false>(to);
        else
            fetch_whole<true>(to);
    }

    // Rows that began anywhere, moved to where they are multiplied. Of the last stage only so many depths exist.
    template <bool LAST> __device__ __forceinline__ void align(uint to, const char *from, int depths) const
    {
#pragma unroll
        for (int i = 0; i < EACH && has_piece(i); i++) {
            const uint4 *low = (const uint4 *)(from + came) + i * STEP * (PIECES + 1);
            uint4 moved = shifted(low[0], low[1], shift);
            if (LAST && ALONG)
                moved = part_of(moved, depths - (int)threadIdx.x % PIECES * 8);
            else if (LAST)
                moved = part_of(moved, (int)threadIdx.x / PIECES + i * STEP < depths ? 8 : 0);
            store(to + place + i * STEP * WIDTH * 2, moved);
        }
    }
#else
    // At an edge, or of rows that begin anywhere.
    __device__ void fetch_parts(uint to, long k) const
    {
        uint4 pieces[EACH]; // all loads are under way before the first is waited for
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            long there;
            const element *from = piece_at(i, k, there);
            pieces[i] = part_of(there > 0 ? load_shifted(from, end) : make_uint4(0, 0, 0, 0), (int)min(there, 8l));
        }
#pragma unroll
        for (int i = 0; i < EACH; i++)
            store(to + place_of(threadIdx.x / PIECES + i * STEP, threadIdx.x % PIECES), pieces[i]);
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
        for (int i = 0; i < EACH && has_piece(i); i++) {
            const uint at = to + place_of(row + i * STEP, piece);
#if STAGES > 1
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(next + i * STEP * ld) : "memory");
#else
            store(at, *(const uint4 *)(next + i * STEP * ld));
#endif
        }
        next += ALONG ? DEPTH : DEPTH * ld;
    }
#endif
};

typedef operand<!TRANSA, TILE_M, COPY_A> operand_a;
typedef operand<TRANSB, TILE_N, COPY_B> operand_b;
#define SLOTS (operand_a::SLOT + operand_b::SLOT) // bytes of a stage
#define ALIGNED (STAGES * SLOTS)                  // where the one lies that is multiplied, if rows begin anywhere

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

typedef float sums[PIECES_M][PIECES_N][4]; // of an item

// A stage of the warp's results.
static __device__ __forceinline__ void multiply_stage(sums &sum, uint rows, uint cols, int row, int col)
{
#pragma unroll
    for (int k = 0; k < DEPTH; k += 16) {
        uint a[PIECES_M][4], b[PIECES_N / 2][4];
#pragma unroll
        for (int i = 0; i < PIECES_M; i++)
            load_a(a[i], rows, row + 16 * i, k);
#pragma unroll
        for (int j = 0; j < PIECES_N / 2; j++)
            load_b(b[j], cols, col + 16 * j, k);
#pragma unroll
        for (int i = 0; i < PIECES_M; i++)
#pragma unroll
            for (int j = 0; j < PIECES_N; j++)
                multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
}

// Calls take(row, col, first, second) for each two neighbouring results of the item, whose warp's begin at `row` and
// `col`.
template <class taker> static __device__ __forceinline__ void each_pair(const sums &sum, int row, int col, taker take)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < PIECES_M; i++)
#pragma unroll
        for (int j = 0; j < PIECES_N; j++)
#pragma unroll
            for (int s = 0; s < 4; s += 2)
                take(row + 16 * i + lane / 4 + s / 2 * 8, col + 8 * j + lane % 4 * 2, sum[i][j][s], sum[i][j][s + 1]);
}

// ---- the kernel -----------------------------------------------------------------------------------------------------

// Where in the ring of stages the one is that is multiplied, and the one that is fetched meanwhile.
struct ring {
    const char *shared;
    uint start; // its address
    int slot, ahead;
};

static __device__ __forceinline__ void step(ring &at)
{
    at.slot = at.slot + 1 == STAGES ? 0 : at.slot + 1;
    at.ahead = at.ahead + 1 == STAGES ? 0 : at.ahead + 1;
}

#if SPANS
// Moves what came to where it is multiplied, and multiplies it. Of the last stage only so many depths exist.
template <bool SHIFTED_A, bool SHIFTED_B, bool LAST>
static __device__ __forceinline__ void multiply_moved(sums &sum, const operand_a &rows, const operand_b &cols,
                                                      const ring &at, int row, int col, int depths)
{
    uint stage_a = at.start + at.slot * SLOTS, stage_b = stage_a + operand_a::SLOT;
    if (SHIFTED_A) {
        stage_a = at.start + ALIGNED;
        rows.align<LAST>(stage_a, at.shared + at.slot * SLOTS, depths);
    }
    if (SHIFTED_B) {
        stage_b = at.start + ALIGNED + operand_a::BYTES;
        cols.align<LAST>(stage_b, at.shared + at.slot * SLOTS + operand_a::SLOT, depths);
    }
    if (SHIFTED_A || SHIFTED_B)
        __syncthreads();
    multiply_stage(sum, stage_a, stage_b, row, col);
}

// Adds the depths from k on, as long as those that are fetched meanwhile come before `until`: these are whole.
template <bool SHIFTED_A, bool SHIFTED_B>
static __device__ __forceinline__ long add_whole(sums &sum, operand_a &rows, operand_b &cols, ring &at, int row,
                                                 int col, long k, long until)
{
#pragma unroll 1
    for (; k + (STAGES - 1) * DEPTH < until; k += DEPTH) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads(); // this stage is there for all, and all have left the one that is fetched now
        rows.fetch_whole<SHIFTED_A>(at.start + at.ahead * SLOTS);
        cols.fetch_whole<SHIFTED_B>(at.start + at.ahead * SLOTS + operand_a::SLOT);
        asm volatile("cp.async.commit_group;" ::: "memory");
        multiply_moved<SHIFTED_A, SHIFTED_B, false>(sum, rows, cols, at, row, col, DEPTH);
        step(at);
    }
    return k;
}
#endif

// Adds the depths from `from` to before `to`. Shared memory is at `shared` and at `start`.
static __device__ __forceinline__ void add_depth(sums &sum, operand_a &rows, operand_b &cols, const char *shared,
                                                 uint start, int row, int col, long from, long to)
{
#if STAGES > 1
#pragma unroll(SPANS ? 1 : STAGES - 1)
    for (int stage = 0; stage < STAGES - 1; stage++) {
        if (from + stage * DEPTH < to) {
            rows.fetch(start + stage * SLOTS, from + stage * DEPTH);
            cols.fetch(start + stage * SLOTS + operand_a::SLOT, from + stage * DEPTH);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    ring at = {shared, start, 0, STAGES - 1};
    long k = from;
#if SPANS
    const long until = min(to, min(rows.quick, cols.quick) + 1);
    k = rows.is_aligned ? (cols.is_aligned ? add_whole<false, false>(sum, rows, cols, at, row, col, k, until)
                                           : add_whole<false, true>(sum, rows, cols, at, row, col, k, until))
                        : (cols.is_aligned ? add_whole<true, false>(sum, rows, cols, at, row, col, k, until)
                                           : add_whole<true, true>(sum, rows, cols, at, row, col, k, until));
#endif
    for (; k < to; k += DEPTH) {
        // begin stages
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads(); // this stage is there for all, and all have left the one that is fetched now
        const long next = k + (STAGES - 1) * DEPTH;
        if (next < to) {
            rows.fetch(start + at.ahead * SLOTS, next);
            cols.fetch(start + at.ahead * SLOTS + operand_a::SLOT, next);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        // end stages
#if SPANS
        const int depths = (int)min((long)DEPTH, cols.depth - k);
        if (!rows.is_aligned && !cols.is_aligned)
            multiply_moved<true, true, true>(sum, rows, cols, at, row, col, depths);
        else if (!rows.is_aligned)
            multiply_moved<true, false, true>(sum, rows, cols, at, row, col, depths);
        else if (!cols.is_aligned)
            multiply_moved<false, true, true>(sum, rows, cols, at, row, col, depths);
        else
#endif
            multiply_stage(sum, start + at.slot * SLOTS, start + at.slot * SLOTS + operand_a::SLOT, row, col);
        step(at);
    }
#else
    for (long k = from; k < to; k += DEPTH) {
        // begin stage
        rows.fetch(start, k);
        cols.fetch(start + operand_a::BYTES, k);
        __syncthreads();
        multiply_stage(sum, start, start + operand_a::BYTES, row, col);
        __syncthreads();
        // end stage
    }
#endif
}

#if SPANS
#include "kernels/matmul/mma_results.cuh"
#endif

extern "C" __global__ void __launch_bounds__(ITEMS, TILE_M *TILE_N <= 4096 ? 3 : 2)
#if SPANS
#if CLUSTER > 1
    __cluster_dims__(CLUSTER, 1, 1)
#endif
        matmul(const element *a, const element *b, outcome *c, char *work, long sums_at, long epoch, long m, long n,
               long k, float alpha, float beta, long lda, long ldb, long ldc, long spans, long slice)
#else
    matmul(const element *a, const element *b, outcome *c, long m, long n, long k, float alpha, float beta, long lda,
           long ldb, long ldc)
#endif
{
    extern __shared__ __align__(128) char shared[];
    const uint start = __cvta_generic_to_shared(shared);
    const matrices of = {a, b, c, m, n, k, alpha, beta, lda, ldb, ldc};
    const int tiles_m = (m + TILE_M - 1) / TILE_M, tiles_n = (n + TILE_N - 1) / TILE_N;
#if SPANS
    const int number = blockIdx.x / CLUSTER % (tiles_m * tiles_n), rank = blockIdx.x % CLUSTER,
              span = blockIdx.x / CLUSTER / (tiles_m * tiles_n);
    const long from = ((long)span * CLUSTER + rank) * slice, to = min(k, from + slice);
#else
    const int number = blockIdx.x;
    const long from = 0, to = k;
#endif
    const place tile = place_of(number, tiles_m, tiles_n);
    const long first_row = (long)tile.row * TILE_M, first_col = (long)tile.col * TILE_N;
    operand_a rows(a, lda, first_row, m, from, k);
    operand_b cols(b, ldb, first_col, n, from, k);
    const int warp = threadIdx.x / 32, row = warp / WARPS_N * (TILE_M / WARPS_M),
              col = warp % WARPS_N * (TILE_N / WARPS_N);
    sums sum = {};
    add_depth(sum, rows, cols, shared, start, row, col, from, to);
#if SPANS
    __syncthreads();                                           // all have left the last stage
    if (CLUSTER == 1 && spans == 1 && (RESULT || beta == 0)) { // else a result is rounded once
        each_pair(sum, row, col, [&](int r, int c, float first, float second) {
            stage_pair(start, r, c, alpha * first, alpha * second);
        });
        store_results(of, shared, first_row, first_col);
        return;
    }
    float *staged = (float *)shared;
    each_pair(sum, row, col, [&](int r, int c, float first, float second) {
        *(float2 *)(staged + r * PITCH + c) = make_float2(first, second);
    });
    const meeting at = {work, sums_at, (ulong)epoch, (long)number * CLUSTER + rank, span, spans};
    join_sums(staged, at, of, rank, first_row + rank * (TILE_M / CLUSTER), first_col);
#else
    each_pair(sum, row, col, [&](int r, int c, float first, float second) {
        put_pair(of, first_row + r, first_col + c, first, second);
    });
#endif
}
