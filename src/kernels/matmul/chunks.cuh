// Results on their way from a group to C by way of shared memory: chunks of 16 rows and CHUNK columns, which a warp
// stores; rows of C may begin anywhere. half.cuh and shifted.cuh come before.

#define ROW 128                            // bytes of a row of a chunk; its eight pieces of 16 bytes are swizzled
#define CHUNK (ROW / (int)sizeof(outcome)) // columns
#define STORE (16 * ROW)                   // bytes

// Two results, as C has them.
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

// One line of 128 bytes of C for each of a warp's 16 rows, `count` columns from `col` on: it has the end of the chunk
// before and the beginning of this one. Rows of C begin anywhere, so there is one line more than chunks.
#if RESULT
// Chunk by chunk instead, row by row, neighbouring items with neighbouring elements.
static __device__ __forceinline__ void store_line(const matrices &of, long row, long col, int count, int line,
                                                  const char *, const char *here)
{
    const int c = threadIdx.x % 32;
    for (int r = 0; r < 16 && row + r < of.m && line * CHUNK + c < count; r++) {
        outcome *to = of.c + (row + r) * of.ldc + col + line * CHUNK + c;
        const outcome value = *(const outcome *)(here + r * ROW + (c / 4 ^ r % 8) * 16 + c % 4 * 4);
        *to = of.beta == 0 ? value : value + of.beta * *to;
    }
}
#else
static __device__ __forceinline__ int line_offset(const matrices &of, long row, long col)
{
    return (ulong)(of.c + row * of.ldc + col) % ROW / sizeof(outcome);
}

static __device__ __forceinline__ outcome staged_element(const char *chunk, int r, int c)
{
    return *(const outcome *)(chunk + r * ROW + (c % CHUNK / 8 ^ r % 8) * 16 + c % 8 * 2);
}

// Four rows at once. Each of a row's eight items stores 16 bytes of the line, from two pieces of shared memory; only a
// row's first and last elements are stored one by one.
static __device__ __forceinline__ void store_line(const matrices &of, long row, long col, int count, int line,
                                                  const char *before, const char *here)
{
    const int item = threadIdx.x % 8, lane = threadIdx.x % 32;
    uint4 pieces[4];
#pragma unroll
    for (int i = 0; i < 4; i++) { // all loads before the first store
        const int r = lane / 8 + i * 4, first = line * CHUNK + item * 8 - line_offset(of, row + r, col);
        const int piece = first < 0 ? 0 : first / 8;
        const uint4 low = *(const uint4 *)((piece / 8 == line ? here : before) + r * ROW + (piece % 8 ^ r % 8) * 16);
        const uint4 high =
            *(const uint4 *)(((piece + 1) / 8 == line ? here : before) + r * ROW + ((piece + 1) % 8 ^ r % 8) * 16);
        pieces[i] = shifted(low, high, first % 8 * 2);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int r = lane / 8 + i * 4, offset = line_offset(of, row + r, col),
                  first = line * CHUNK + item * 8 - offset;
        outcome *to = of.c + (row + r) * of.ldc + col;
        const int head = -offset & 7, tail = head + (count - head) / 8 * 8; // tail: where the last elements begin
        const bool is_row = row + r < of.m;
        if (is_row && first >= 0 && first + 8 <= count)
            *(uint4 *)(to + first) = pieces[i];
        if (is_row && line == 0 && item < head && item < count)
            to[item] = staged_element(here, r, item);
        if (is_row && tail + item < count && (tail + offset) / CHUNK == line)
            to[tail + item] = staged_element((tail + item) / CHUNK == line ? here : before, r, tail + item);
    }
}
#endif
