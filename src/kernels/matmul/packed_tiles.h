/* Tiles and panels for one element type and one instruction set. A file packed_<isa>.c includes this once per type,
 * after defining
 *   LEVEL                the struct packed_level that it makes
 *   NAME(x)              x with a suffix of its own
 *   ELEMENT, TARGET      the type; the attribute that allows the instructions
 *   VECTOR_BYTES         of a register
 *   ROWS, VECTORS        the tile: rows, and registers in a row; ROWS at most 14
 *   STEPS                of the depth in one turn of the loop: small tiles are not to wait for its bookkeeping
 *   DEPTH                of a block, in floats, that suits the caches: a panel of B and one of A share the first level
 *   TURNED               rows of A that are turned at a time: 4, or 8 where a register holds as many elements
 *   LOAD_SOME(p, count)  where loads have masks: four elements, of which those behind the first `count` are 0
 *   JOIN(p, q)           where TURNED is 8, perhaps: four elements at p, and behind them four at q
 *   BROADCAST(x)         a vector with x in every lane
 *   FMA(x, y, z)         x·y + z, lane by lane
 *   and, where registers have masks, those of direct_masked.h, or of direct_dots.h where loads have; or PANELS_ONLY: no
 * products without panels */
#ifndef NAME
#error "define LEVEL and the rest first"
#endif

#define LANES (VECTOR_BYTES / sizeof(ELEMENT))
#define COLS (VECTORS * LANES)
#define PRAGMA(words) _Pragma(#words)
#define UNROLL(steps) PRAGMA(GCC unroll steps)
#define LINE (64 / sizeof(ELEMENT)) /* of the caches */

typedef ELEMENT NAME(vector) __attribute__((vector_size(VECTOR_BYTES)));
/* At any address of an element. */
typedef ELEMENT NAME(loose) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(ELEMENT)), may_alias));

/* With beta = 0 C is not read: it may hold NaN. */
#define UPDATE(old, sum) (beta == 0 ? alpha * (sum) : alpha * (sum) + beta * (old))

/* ---- panels --------------------------------------------------------------------------------------------------- */

typedef ELEMENT NAME(four) __attribute__((vector_size(4 * sizeof(ELEMENT)), aligned(sizeof(ELEMENT)), may_alias));
typedef ELEMENT NAME(strip) __attribute__((vector_size(TURNED * sizeof(ELEMENT)), aligned(sizeof(ELEMENT)), may_alias));

/* Elements w, x, y, z of two strips (0 … 3 of the first, 4 … 7 of the second), in each four of a strip alike. */
#if TURNED == 8
#define PLACE(x) ((x) < 4 ? (x) : (x) + 4)
#define PICK(a, b, w, x, y, z)                                                                                      \
    __builtin_shufflevector(a, b, PLACE(w), PLACE(x), PLACE(y), PLACE(z), PLACE(w) + 4, PLACE(x) + 4, PLACE(y) + 4, \
                            PLACE(z) + 4)
#else
#define PICK __builtin_shufflevector
#endif

/* Of four elements the first `count`; others are 0 where the instruction set can leave them out of a load. */
TARGET static inline __attribute__((always_inline)) void NAME(load_four)(NAME(four) * to, const ELEMENT *from,
                                                                         size_t count)
{
#ifdef LOAD_SOME
    if (count < 4) {
        *to = (NAME(four))LOAD_SOME(from, count);
        return;
    }
#endif
    (void)count;
    *to = *(const NAME(four) *)(const void *)from;
}

/* `count` elements of row i, and behind them of row i + 4 where a strip is that long. */
TARGET static inline __attribute__((always_inline)) void NAME(load_strip)(NAME(strip) * to, const ELEMENT *from,
                                                                          size_t from_step, size_t i, size_t count)
{
#ifdef JOIN
    if (count == 4) {
        *to = (NAME(strip))JOIN(&from[i * from_step], &from[(i + 4) * from_step]);
        return;
    }
#endif
    NAME(four) above;
    NAME(load_four)(&above, &from[i * from_step], count);
#if TURNED == 8
    NAME(four) below;
    NAME(load_four)(&below, &from[(i + 4) * from_step], count);
    *to = __builtin_shufflevector(above, below, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    *to = above;
#endif
}

/* Columns of four strips of four rows each: as instructions interleave within 16 bytes, two doubles or four floats. */
TARGET static inline __attribute__((always_inline)) void NAME(turn_four)(NAME(strip) columns[4],
                                                                         const NAME(strip) rows[4])
{
    const bool is_wide = sizeof(ELEMENT) == 8;
    NAME(strip) low = is_wide ? PICK(rows[0], rows[1], 0, 4, 2, 6) : PICK(rows[0], rows[1], 0, 4, 1, 5);
    NAME(strip) next_low = is_wide ? PICK(rows[2], rows[3], 0, 4, 2, 6) : PICK(rows[2], rows[3], 0, 4, 1, 5);
    NAME(strip) high = is_wide ? PICK(rows[0], rows[1], 1, 5, 3, 7) : PICK(rows[0], rows[1], 2, 6, 3, 7);
    NAME(strip) next_high = is_wide ? PICK(rows[2], rows[3], 1, 5, 3, 7) : PICK(rows[2], rows[3], 2, 6, 3, 7);
    columns[0] = PICK(low, next_low, 0, 1, 4, 5);
    columns[is_wide ? 2 : 1] = PICK(low, next_low, 2, 3, 6, 7);
    columns[is_wide ? 1 : 2] = PICK(high, next_high, 0, 1, 4, 5);
    columns[3] = PICK(high, next_high, 2, 3, 6, 7);
}

/* to[l * to_step + i] = from[i * from_step + l] for TURNED rows i and `count` columns l, at most four. */
TARGET static inline __attribute__((always_inline)) void
NAME(turn_strip)(ELEMENT *to, size_t to_step, const ELEMENT *from, size_t from_step, size_t count)
{
    NAME(strip) rows[4], columns[4];
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        NAME(load_strip)(&rows[i], from, from_step, i, count);
    NAME(turn_four)(columns, rows);
#pragma GCC unroll 4
    for (size_t l = 0; l < 4; l++)
        if (l < count)
            *(NAME(strip) *)(void *)&to[l * to_step] = columns[l];
}

/* The same for `count` columns, four at a time. */
TARGET static inline __attribute__((always_inline)) void
NAME(turn_strips)(ELEMENT *to, size_t to_step, const ELEMENT *from, size_t from_step, size_t count)
{
    for (const ELEMENT *end = from + count; from < end; from += 4, to += 4 * to_step)
        NAME(turn_strip)(to, to_step, from, from_step, 4);
}

/* The same for `rows` rows of `depth` elements; the last strip of rows may overlap the one before. Long rows are turned
 * a line of the cache at a time. */
TARGET static void NAME(turn)(ELEMENT *to, size_t to_step, const ELEMENT *from, size_t from_step, size_t rows,
                              size_t depth)
{
    const size_t whole = rows >= TURNED ? depth / 4 * 4 : 0;
    const size_t most = whole <= PACKED_DIRECT_MOST ? whole : LINE;
    for (size_t begin = 0; begin < whole; begin += most)
        for (size_t i = 0; i < rows; i += TURNED) {
            const size_t row = rows - i < TURNED ? rows - TURNED : i;
            NAME(turn_strips)
            (&to[begin * to_step + row], to_step, &from[row * from_step + begin], from_step,
             whole - begin < most ? whole - begin : most);
        }
#ifdef LOAD_SOME
    for (size_t i = 0; rows >= TURNED && whole < depth && i < rows; i += TURNED) {
        size_t row = rows - i < TURNED ? rows - TURNED : i;
        NAME(turn_strip)(&to[whole * to_step + row], to_step, &from[row * from_step + whole], from_step, depth - whole);
    }
    if (rows >= TURNED)
        return;
#endif
    for (size_t l = whole; l < depth; l++)
        for (size_t i = 0; i < rows; i++)
            to[l * to_step + i] = from[i * from_step + l];
}

/* `depth` rows of `count` elements. */
TARGET static void NAME(copy)(ELEMENT *to, size_t to_step, const ELEMENT *from, size_t from_step, size_t count,
                              size_t depth)
{
    const size_t whole = count / LANES * LANES;
#ifdef MASK
    const MASK rest = (MASK)((1u << (count - whole)) - 1);
#endif
    for (size_t l = 0; l < depth; l++, to += to_step, from += from_step) {
        size_t i = 0;
        for (; i < whole; i += LANES)
            *(NAME(loose) *)(void *)&to[i] = *(const NAME(loose) *)(const void *)&from[i];
#ifdef MASK
        if (i < count)
            OF(512, mask_storeu)(&to[i], rest, OF(512, maskz_loadu)(rest, &from[i]));
#else
        for (; i + 4 <= count; i += 4)
            *(NAME(four) *)(void *)&to[i] = *(const NAME(four) *)(const void *)&from[i];
        for (; i < count; i++)
            to[i] = from[i];
#endif
    }
}

/* The sums of four vectors' lanes. */
TARGET static inline __attribute__((always_inline)) void NAME(add_lanes)(NAME(four) * sums, const NAME(vector) parts[4])
{
    enum { PIECES = VECTOR_BYTES / sizeof(NAME(four)) };
    NAME(four) x[4] = {0};
#if VECTOR_BYTES == 16
    for (size_t i = 0; i < 4; i++)
        for (size_t lane = 0; lane < LANES; lane++)
            x[i][lane] = parts[i][lane];
#else
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        const NAME(four) *pieces = (const NAME(four) *)(const void *)&parts[i];
        x[i] = pieces[0];
#pragma GCC unroll 4
        for (size_t piece = 1; piece < PIECES; piece++)
            x[i] += pieces[piece];
    }
#endif
    const NAME(four) left =
        __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6) + __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
    const NAME(four) right =
        __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6) + __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
    *sums = __builtin_shufflevector(left, right, 0, 1, 4, 5) + __builtin_shufflevector(left, right, 2, 3, 6, 7);
}

#ifndef DIRECT_ONLY
TARGET static void NAME(pack_a)(void *panel, struct packed_view a, size_t rows, size_t depth)
{
    if (a.down == 1)
        NAME(copy)(panel, rows, a.data, a.across, rows, depth);
    else
        NAME(turn)(panel, rows, a.data, a.down, rows, depth);
}

TARGET static void NAME(pack_b)(void *panel, struct packed_view b, size_t depth, size_t cols)
{
    ELEMENT *to = panel;
    if (cols < COLS)
        memset(panel, 0, depth * COLS * sizeof(ELEMENT));
    if (b.across != 1)
        NAME(turn)(to, COLS, b.data, b.across, cols, depth);
    else
        NAME(copy)(to, COLS, b.data, b.down, cols, depth);
}

/* ---- tiles ---------------------------------------------------------------------------------------------------- */

/* Fewer columns than the registers hold go through an array. */
TARGET static void NAME(put_some)(size_t rows, size_t cols, const NAME(vector) * sums, ELEMENT alpha, ELEMENT beta,
                                  ELEMENT *c, size_t ldc)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++) {
            ELEMENT sum = sums[i * VECTORS + j / LANES][j % LANES];
            c[i * ldc + j] = UPDATE(c[i * ldc + j], sum);
        }
}

/* `rows`, `vectors` and `first` are constants where this is inlined, so that the sums are registers. The first tile
 * takes B where it lies and writes the panel for those that follow: copying hides behind the arithmetic. */
TARGET static inline __attribute__((always_inline)) void NAME(tile)(size_t rows, size_t vectors, bool first,
                                                                    const struct packed_tile *tile)
{
    const ELEMENT *a = tile->a, *b = tile->b, *ahead = tile->ahead;
    const ELEMENT alpha = (ELEMENT)tile->alpha, beta = (ELEMENT)tile->beta;
    const size_t cols = tile->cols, ldc = tile->ldc, b_step = first ? tile->b_step : COLS;
    ELEMENT *c = tile->c, *panel = tile->panel;
    NAME(vector) sums[ROWS][VECTORS];
#pragma GCC unroll 14
    for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            __builtin_prefetch(&c[i * ldc + v * LANES], 1);
#pragma GCC unroll 14
    for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            sums[i][v] = (NAME(vector)){0};
    UNROLL(STEPS)
    for (size_t l = 0; l < tile->depth; l++, a += rows, b += b_step, ahead += tile->ahead_step) {
        NAME(vector) right[VECTORS];
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            if (first) {
                right[v] = *(const NAME(loose) *)(const void *)&b[v * LANES];
                *(NAME(vector) *)(void *)&panel[l * COLS + v * LANES] = right[v];
            } else {
                right[v] = *(const NAME(vector) *)(const void *)&b[v * LANES];
            }
#pragma GCC unroll 5
        for (size_t x = 0; x <= COLS; x += LINE) {
            const ELEMENT *at = &ahead[x < COLS ? x : COLS - 1]; /* rows need not begin with a line */
            if (first)
                __builtin_prefetch(at, 0, 3);
            else
                __builtin_prefetch(at, 0, 2);
        }
        /* begin tile */
#pragma GCC unroll 14
        for (size_t i = 0; i < rows; i++) {
            NAME(vector) left = BROADCAST(a[i]);
#pragma GCC unroll 4
            for (size_t v = 0; v < vectors; v++)
                sums[i][v] = FMA(left, right[v], sums[i][v]);
        }
        /* end tile */
    }
    if (cols < vectors * LANES) {
        NAME(vector) kept[ROWS * VECTORS];
#pragma GCC unroll 14
        for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
            for (size_t v = 0; v < vectors; v++)
                kept[i * VECTORS + v] = sums[i][v];
        NAME(put_some)(rows, cols, kept, alpha, beta, c, ldc);
        return;
    }
#pragma GCC unroll 14
    for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++) {
            NAME(loose) *target = (NAME(loose) *)(void *)&c[i * ldc + v * LANES];
            *target = UPDATE(*target, sums[i][v]);
        }
}

/* A tile of each height: the first of a panel, of whole width, and of one register's. */
#define DEFINE_TILE(height)                                                \
    TARGET static void NAME(tile_##height)(const struct packed_tile *tile) \
    {                                                                      \
        if (tile->panel)                                                   \
            NAME(tile)(height, VECTORS, true, tile);                       \
        else if (tile->cols > LANES)                                       \
            NAME(tile)(height, VECTORS, false, tile);                      \
        else                                                               \
            NAME(tile)(height, 1, false, tile);                            \
    }
DEFINE_TILE(1)
DEFINE_TILE(2)
DEFINE_TILE(3)
DEFINE_TILE(4)
#if ROWS > 4
DEFINE_TILE(5)
DEFINE_TILE(6)
#endif
#if ROWS > 6
DEFINE_TILE(7)
DEFINE_TILE(8)
#endif
#if ROWS > 8
DEFINE_TILE(9)
DEFINE_TILE(10)
DEFINE_TILE(11)
DEFINE_TILE(12)
DEFINE_TILE(13)
DEFINE_TILE(14)
#endif

typedef void NAME(any_tile)(const struct packed_tile *tile);

static NAME(any_tile) *const NAME(tiles)[ROWS] = {
    NAME(tile_1), NAME(tile_2),  NAME(tile_3),  NAME(tile_4),
#if ROWS > 4
    NAME(tile_5), NAME(tile_6),
#endif
#if ROWS > 6
    NAME(tile_7), NAME(tile_8),
#endif
#if ROWS > 8
    NAME(tile_9), NAME(tile_10), NAME(tile_11), NAME(tile_12), NAME(tile_13), NAME(tile_14),
#endif
};

static void NAME(multiply)(const struct packed_tile *tile)
{
    NAME(tiles)[tile->rows - 1](tile);
}

#endif

#ifndef PANELS_ONLY
#include "kernels/matmul/direct_tiles.h"
#ifdef REST
#include "kernels/matmul/direct_narrow.h"
#endif
#ifndef DIRECT_ONLY
#include "kernels/matmul/packed_lines.h"
#endif
#endif

#ifndef DIRECT_ONLY

const struct packed_level LEVEL = {
    .bytes = sizeof(ELEMENT),
    .rows = ROWS,
    .cols = COLS,
    .depth = DEPTH,
    .pack_a = NAME(pack_a),
    .pack_b = NAME(pack_b),
    .multiply = NAME(multiply),
#ifndef PANELS_ONLY
    .direct = NAME(direct),
    .direct_rows = NAME(direct_rows),
    .direct_cols = NAME(DIRECT_COLS),
    .direct_many = NAME(direct_many),
#ifdef MASK
    .direct_least = 1,
#else
    .direct_least = LANES,
#endif
    .dots_of_lines = NAME(dots_of_lines),
    .sum_of_lines = NAME(sum_of_lines),
#endif
};
#endif

#undef DEFINE_TILE
#undef UPDATE
#undef COLS
#undef LANES
#undef UNROLL
#undef PRAGMA
#undef LINE
#undef PICK
#undef PLACE
