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

#if RESULT
// Row by row, neighbouring items with neighbouring elements.
static __device__ __forceinline__ void store_chunk(const matrices &of, long row, long col, const char *from)
{
    const int c = threadIdx.x % 32;
    for (int r = 0; r < 16 && row + r < of.m && col + c < of.n; r++) {
        outcome *to = of.c + (row + r) * of.ldc + col + c;
        const outcome value = *(const outcome *)(from + r * ROW + (c / 4 ^ r % 8) * 16 + c % 4 * 4);
        *to = of.beta == 0 ? value : value + of.beta * *to;
    }
}
#else
static __device__ __forceinline__ outcome element_of(const char *line, int r, int c)
{
    return *(const outcome *)(line + (c / 8 ^ r % 8) * 16 + c % 8 * 2);
}

// Four rows at once. Each of a row's eight items stores 16 bytes of C that begin at a multiple of 16, from two pieces
// of shared memory, and one of the elements before all of these and behind them.
static __device__ __forceinline__ void store_chunk(const matrices &of, long row, long col, const char *from)
{
    const int item = threadIdx.x % 8, count = of.n - col < CHUNK ? of.n - col : CHUNK;
    for (int r = threadIdx.x % 32 / 8; r < 16 && row + r < of.m && count > 0; r += 4) {
        outcome *to = of.c + (row + r) * of.ldc + col;
        const char *line = from + r * ROW;
        const int before = (uint) - (long)to % 16 / 2, first = before + item * 8;
        if (first + 8 <= count) {
            const uint4 low = *(const uint4 *)(line + (item ^ r % 8) * 16);
            const uint4 high = *(const uint4 *)(line + ((item + 1) % 8 ^ r % 8) * 16);
            *(uint4 *)(to + first) = shifted(low, high, before * 2);
        }
        if (item < before && item < count)
            to[item] = element_of(line, r, item);
        const int behind = count < before ? count : before + (count - before) / 8 * 8 + item;
        if (behind < count)
            to[behind] = element_of(line, r, behind);
    }
}
#endif
