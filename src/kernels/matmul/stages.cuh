// Stages of a matrix's lines in shared memory. FETCHERS items of tensor_fused.cu, behind its first ITEMS, fetch them.
// tensor_fused.cu also defines DEPTH and SHIFTED.

#include "kernels/matmul/copy_four.cuh"

// The first `bytes` of 16, and zeros. SHIFTED: by way of the first-level cache, as a row's end and the next stage need
// the same sectors again.
static __device__ __forceinline__ void copy_sixteen(uint to, const float *from, int bytes)
{
#if SHIFTED && TILE_M + TILE_N <= 128
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
#else
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
#endif
}

// ---- a stage in shared memory -------------------------------------------------------------------------------------

// LINES rows of op(A), or columns of op(B). ALONG: depth is contiguous in memory. The layout is that of memory, in rows
// of DEPTH or of LINES floats.
//
// If rows begin at multiples of 16 bytes and depth is contiguous, four floats are read at once. Chunks of four are then
// swizzled, so that the chunks that eight items read at once are in different banks.
//
// SHIFTED: rows do not begin at multiples of 16 bytes. Copies are still of 16 aligned bytes. A row then begins up to
// three floats late, at its offset from the last multiple of four. Its length in shared memory puts rows in different
// banks.
template <int LINES, bool ALONG> struct operand {
    static const int WIDTH = ALONG ? DEPTH : LINES, HEIGHT = ALONG ? LINES : DEPTH;
    static const int ROW = ALONG ? WIDTH + (SHIFTED ? 4 : 0) : WIDTH + 8; // floats from row to row
    static const int CHUNKS = WIDTH / 4, STEP = FETCHERS / CHUNKS;        // of a row; rows of one copy of all fetchers
    const float *at, *end; // of the tile, the next stage; of the whole array
    long stride;
    int last_line; // last line of the matrix, relative to the tile's first; lines beyond repeat it

    static __device__ __forceinline__ int place_of(int row, int col)
    {
        return SHIFTED || !ALONG ? (row * ROW + col) * 4 : row * ROW * 4 + (col / 4 ^ row / 2 % 4) * 16 + col % 4 * 4;
    }

    __device__ __forceinline__ operand(const float *x, long ld, long first, long lines, long k, long depth)
    {
        stride = ld;
        last_line = min(lines - 1 - first, (long)LINES);
        at = ALONG ? x + first * ld + k : x + k * ld + first;
        end = x + (ALONG ? lines : depth) * ld;
    }

    // Bytes that are within the stage's depth and the array, of the chunk of four at `chunk`. That chunk contains the
    // item's float `from` at (row, col). The remaining bytes become zeros.
    __device__ __forceinline__ int bytes_within(const float *chunk, const float *from, int row, int col,
                                                int depth) const
    {
        const long there = ALONG ? depth - col + (from - chunk) : row < depth ? 4 : 0;
        return 4 * (int)max(0l, min(min(there, 4l), (long)(end - chunk)));
    }

    template <bool WHOLE>
    __device__ __forceinline__ void fetch_chunk(uint to, const float *from, int row, int col, int depth) const
    {
        const float *chunk = SHIFTED ? (const float *)((ulong)from & ~15ul) : from;
        const int bytes = WHOLE ? 16 : bytes_within(chunk, from, row, col, depth);
        if (WHOLE || bytes == 0 || chunk + 4 <= end)
            copy_sixteen(to + place_of(row, col), chunk, bytes);
        else // compute-sanitizer takes an incomplete copy for one of 16 bytes
            for (int i = 0; i < 4; i++)
                copy_four(to + place_of(row, col) + 4 * i, chunk + i, 4 * i < bytes);
    }

    __device__ __forceinline__ const float *first_of(int row, int col) const
    {
        return at + (ALONG ? min(row, last_line) : row) * stride + col;
    }

    template <bool WHOLE> __device__ __forceinline__ void fetch_stage(uint to, int depth) const
    {
        const int item = threadIdx.x - ITEMS, row = item / CHUNKS, col = item % CHUNKS * 4;
        const float *from = first_of(row, col);
#pragma unroll
        for (int i = 0; i < (HEIGHT + STEP - 1) / STEP; i++) {
            const int r = row + i * STEP;
            if (HEIGHT % STEP == 0 || r < HEIGHT)
                fetch_chunk<WHOLE>(to, from, r, col, depth);
            from += ALONG && r + STEP > last_line ? 0 : STEP * stride;
        }
#pragma unroll
        for (int i = 0; SHIFTED && i < (HEIGHT + FETCHERS - 1) / FETCHERS; i++) { // the chunks that contain row ends
            const int r = item + i * FETCHERS;
            if (HEIGHT % FETCHERS == 0 || r < HEIGHT)
                fetch_chunk<WHOLE>(to, first_of(r, WIDTH), r, WIDTH, depth);
        }
    }

    // Fetches the next stage, of which `depth` exists.
    __device__ __forceinline__ void fetch(uint to, int depth)
    {
        const float *last = first_of(HEIGHT - 1, WIDTH + 4);
        if (depth >= DEPTH && last <= end)
            fetch_stage<true>(to, DEPTH);
        else
            fetch_stage<false>(to, depth);
        at += ALONG ? DEPTH : DEPTH * stride;
    }
};
