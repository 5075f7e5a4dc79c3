/* clang-format off */
/* Transposes a block of the matrix in registers. Each instruction set's file includes this after it has defined:
 *
 *   TARGET, INLINE                         attributes of all functions, and of those to be inlined
 *   VECTOR, LANES                          a vector, and its number of 16-byte lanes: 4, 2 or 1
 *   VECTORS                                the number of vectors that may be live at once
 *   load(from)                             loads a vector from any address
 *   interleave_low(bytes, a, b), _high     interleaves the elements, of `bytes` bytes, in the lower (upper) half of each
 *                                          lane of a and b
 *   store_columns(to, step, x, count)      stores lane l of x[0], …, x[count - 1] side by side at `to` + l * step
 *   narrower(t, part)                      transposes a part that has no whole tile, as the next narrower vectors do
 *
 * A lane holds n = 16 / bytes elements. n vectors from n rows are transposed within their lanes by log2(n) steps of
 * interleaving. Then lane l of vector k is a piece of column l * n + k, n elements long. As many such pieces from lower
 * rows as registers allow are joined before they are stored. */
/* clang-format on */
#ifndef VECTOR
#error "define what the comment above lists first"
#endif

#include <stdbool.h>
#include <string.h>

#include "kernels/transpose/simd.h"

#define LINE 64                                   /* bytes, of the caches */
#define BLOCK_SIDE(bytes) ((int)(LINE / (bytes))) /* of a block, in elements: a line in either direction */

#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* One step: of each n vectors the first half and the second half are interleaved. */
static INLINE void interleave(VECTOR *x, const int count, const int n, const int bytes)
{
    VECTOR y[16];
    UNROLL
    for (int i = 0; i < count / 2; i++) {
        const int from = i / (n / 2) * n + i % (n / 2), to = i / (n / 2) * n + i % (n / 2) * 2;
        y[to] = interleave_low(bytes, x[from], x[from + n / 2]);
        y[to + 1] = interleave_high(bytes, x[from], x[from + n / 2]);
    }
    UNROLL
    for (int i = 0; i < count; i++)
        x[i] = y[i];
}

static INLINE void transpose_lanes(VECTOR *x, const int count, const int n, const int bytes)
{
    if (n >= 2)
        interleave(x, count, n, bytes);
    if (n >= 4)
        interleave(x, count, n, bytes);
    if (n >= 8)
        interleave(x, count, n, bytes);
    if (n >= 16)
        interleave(x, count, n, bytes);
}

/* How many groups of n rows are joined in registers. */
static INLINE int joined(const int n)
{
    return VECTORS / n >= LANES ? LANES : VECTORS / n > 0 ? VECTORS / n : 1;
}

/* Stores x, turned, one vector's width of columns: column c to `to` + c * to_step. */
static INLINE void store_turned(VECTOR *x, unsigned char *to, size_t to_step, const int bytes)
{
    const int n = 16 / bytes, groups = joined(n);
    transpose_lanes(x, n * groups, n, bytes);
    UNROLL
    for (int k = 0; k < n; k++) {
        VECTOR column[LANES];
        UNROLL
        for (int g = 0; g < groups; g++)
            column[g] = x[g * n + k];
        store_columns(to + (size_t)k * to_step, (size_t)n * to_step, column, groups);
    }
}

/* Transposes a whole block: row r at `from` + r * from_step, column c to `to` + c * to_step. */
static INLINE void transpose_block(const unsigned char *from, size_t from_step, unsigned char *to, size_t to_step,
                                   const int bytes)
{
    const int rows = 16 / bytes * joined(16 / bytes), width = (int)sizeof(VECTOR);
    for (int row = 0; row < BLOCK_SIDE(bytes); row += rows)
        for (int at = 0; at < LINE; at += width) {
            VECTOR x[16];
            UNROLL
            for (int i = 0; i < rows; i++)
                x[i] = load(from + (size_t)(row + i) * from_step + at);
            store_turned(x, to + (size_t)(at / bytes) * to_step + (size_t)(row * bytes), to_step, bytes);
        }
}

/* Planes and pixels: `count` rows, or columns, that the compiler knows. The long side is walked once. */
static INLINE void transpose_few_rows(const struct transposition t, struct part part, const size_t count,
                                      const int bytes)
{
    for (size_t col = part.col; col < part.cols_end; col++)
        for (size_t i = 0; i < count; i++)
            memcpy(t.out + col * t.out_pitch + (part.row + i) * bytes, t.in + (part.row + i) * t.in_pitch + col * bytes,
                   bytes);
}

static INLINE void transpose_few_cols(const struct transposition t, struct part part, const size_t count,
                                      const int bytes)
{
    for (size_t row = part.row; row < part.rows_end; row++)
        for (size_t i = 0; i < count; i++)
            memcpy(t.out + (part.col + i) * t.out_pitch + row * bytes, t.in + row * t.in_pitch + (part.col + i) * bytes,
                   bytes);
}

/* False where there are more rows and columns. */
static INLINE bool transpose_few(const struct transposition *t, struct part part, const int bytes)
{
    const struct transposition own = *t;
    const size_t rows = part.rows_end - part.row, cols = part.cols_end - part.col, many = 16;
    if (rows == 3 && cols > many)
        transpose_few_rows(own, part, 3, bytes);
    else if (rows == 4 && cols > many)
        transpose_few_rows(own, part, 4, bytes);
    else if (cols == 3 && rows > many)
        transpose_few_cols(own, part, 3, bytes);
    else if (cols == 4 && rows > many)
        transpose_few_cols(own, part, 4, bytes);
    else
        return false;
    return true;
}

/* As keep_part, in tiles of one vector's columns: for parts thinner than a block. */
static INLINE void keep_tiles(const struct transposition *t, struct part part, const size_t down, const size_t across,
                              const int bytes)
{
    const size_t rows = part.rows_end - part.row, cols = part.cols_end - part.col;
    for (size_t i = 0; i < cols; i += across)
        for (size_t j = 0; j < rows; j += down) {
            const size_t col = part.col + (i + across <= cols ? i : cols - across),
                         row = part.row + (j + down <= rows ? j : rows - down);
            VECTOR x[16];
            UNROLL
            for (size_t r = 0; r < down; r++)
                x[r] = load(t->in + (row + r) * t->in_pitch + col * (size_t)bytes);
            store_turned(x, t->out + col * t->out_pitch + row * (size_t)bytes, t->out_pitch, bytes);
        }
}

/* Blocks straight from input to output, down the columns, so that the output is written in order. The last ones lie
 * over those before where the part is not a whole number of blocks. */
static INLINE void keep_part(const struct transposition *t, struct part part, const int bytes)
{
    const size_t side = BLOCK_SIDE(bytes), in_step = t->in_pitch, out_step = t->out_pitch;
    const size_t rows = part.rows_end - part.row, cols = part.cols_end - part.col;
    const size_t down = (size_t)(16 / bytes * joined(16 / bytes)), across = sizeof(VECTOR) / (size_t)bytes;
    const bool is_thin = rows < side || cols < side;
    if (is_thin && transpose_few(t, part, bytes))
        return;
    if (is_thin && (rows < down || cols < across)) {
        narrower(t, part, bytes);
        return;
    }
    if (is_thin) {
        keep_tiles(t, part, down, across, bytes);
        return;
    }
    for (size_t i = 0; i < cols; i += side)
        for (size_t j = 0; j < rows; j += side) {
            size_t col = part.col + (i + side <= cols ? i : cols - side);
            size_t row = part.row + (j + side <= rows ? j : rows - side);
            transpose_block(t->in + row * in_step + col * bytes, in_step, t->out + col * out_step + row * bytes,
                            out_step, bytes);
        }
}

static TARGET void keep(const struct transposition *t, struct part part)
{
    CALL_FOR_SIZE(t->bytes, keep_part, t, part);
}
