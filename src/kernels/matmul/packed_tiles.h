/* Tiles and panels for one element type and one instruction set. A file packed_<isa>.c includes this once per type,
 * after defining
 *   LEVEL                the struct packed_level that it makes
 *   NAME(x)              x with a suffix of its own
 *   ELEMENT, TARGET      the type; the attribute that allows the instructions
 *   VECTOR_BYTES         of a register
 *   ROWS, VECTORS        the tile: rows, and registers in a row; ROWS at most 14
 *   BROADCAST(x)         a vector with x in every lane
 *   FMA(x, y, z)         x·y + z, lane by lane */
#ifndef LEVEL
#error "define LEVEL and the rest first"
#endif

#define LANES (VECTOR_BYTES / sizeof(ELEMENT))
#define COLS (VECTORS * LANES)
#define ROWS_AHEAD 16 /* of B, to be fetched */

typedef ELEMENT NAME(vector) __attribute__((vector_size(VECTOR_BYTES)));
/* At any address of an element. */
typedef ELEMENT NAME(loose) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(ELEMENT)), may_alias));

/* ---- panels --------------------------------------------------------------------------------------------------- */

typedef ELEMENT NAME(four) __attribute__((vector_size(4 * sizeof(ELEMENT)), aligned(sizeof(ELEMENT)), may_alias));

/* to[l * to_step + i] = from[i * from_step + l] for a square of four. */
TARGET static void NAME(turn_square)(ELEMENT *to, size_t to_step, const ELEMENT *from, size_t from_step)
{
    NAME(four) rows[4];
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        rows[i] = *(const NAME(four) *)(const void *)&from[i * from_step];
    NAME(four) low = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    NAME(four) high = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    NAME(four) next_low = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    NAME(four) next_high = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    *(NAME(four) *)(void *)&to[0 * to_step] = __builtin_shufflevector(low, next_low, 0, 1, 4, 5);
    *(NAME(four) *)(void *)&to[1 * to_step] = __builtin_shufflevector(low, next_low, 2, 3, 6, 7);
    *(NAME(four) *)(void *)&to[2 * to_step] = __builtin_shufflevector(high, next_high, 0, 1, 4, 5);
    *(NAME(four) *)(void *)&to[3 * to_step] = __builtin_shufflevector(high, next_high, 2, 3, 6, 7);
}

/* The same for `rows` rows of `depth` elements; the last square of four rows may overlap the one before. */
TARGET static void NAME(turn)(ELEMENT *to, size_t to_step, const ELEMENT *from, size_t from_step, size_t rows,
                              size_t depth)
{
    size_t l = 0;
    for (; rows >= 4 && l + 4 <= depth; l += 4) {
        for (size_t i = 0; i + 4 < rows; i += 4)
            NAME(turn_square)(&to[l * to_step + i], to_step, &from[i * from_step + l], from_step);
        NAME(turn_square)(&to[l * to_step + rows - 4], to_step, &from[(rows - 4) * from_step + l], from_step);
    }
    for (; l < depth; l++)
        for (size_t i = 0; i < rows; i++)
            to[l * to_step + i] = from[i * from_step + l];
}

/* `depth` rows of `count` elements. */
TARGET static void NAME(copy)(ELEMENT *to, size_t to_step, const ELEMENT *from, size_t from_step, size_t count,
                              size_t depth)
{
    for (size_t l = 0; l < depth; l++, to += to_step, from += from_step) {
        size_t i = 0;
        for (; i + 4 <= count; i += 4)
            *(NAME(four) *)(void *)&to[i] = *(const NAME(four) *)(const void *)&from[i];
        for (; i < count; i++)
            to[i] = from[i];
    }
}

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
    if (b.across != 1)
        NAME(turn)(to, COLS, b.data, b.across, cols, depth);
    else
        NAME(copy)(to, COLS, b.data, b.down, cols, depth);
    for (size_t l = 0; cols < COLS && l < depth; l++)
        for (size_t j = cols; j < COLS; j++)
            to[l * COLS + j] = 0;
}

/* ---- tiles ---------------------------------------------------------------------------------------------------- */

/* With beta = 0 what stands in C is not read: it may be NaN. */
#define UPDATE(old, sum) (beta == 0 ? alpha * (sum) : alpha * (sum) + beta * (old))

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
 * takes B where it lies, rows b_step apart, and writes the panel for those that follow: copying hides behind the
 * arithmetic. */
TARGET static inline __attribute__((always_inline)) void NAME(tile)(size_t rows, size_t vectors, bool first,
                                                                    size_t cols, size_t depth, const ELEMENT *a,
                                                                    const ELEMENT *b, size_t b_step, ELEMENT *panel,
                                                                    ELEMENT alpha, ELEMENT beta, ELEMENT *c, size_t ldc)
{
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
    for (size_t l = 0; l < depth; l++, a += rows, b += first ? b_step : COLS) {
        NAME(vector) right[VECTORS];
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            if (first) {
                right[v] = *(const NAME(loose) *)(const void *)&b[v * LANES];
                *(NAME(vector) *)(void *)&panel[l * COLS + v * LANES] = right[v];
                __builtin_prefetch(&b[ROWS_AHEAD * b_step + v * LANES]);
            } else {
                right[v] = *(const NAME(vector) *)(const void *)&b[v * LANES];
            }
#pragma GCC unroll 14
        for (size_t i = 0; i < rows; i++) {
            NAME(vector) left = BROADCAST(a[i]);
#pragma GCC unroll 4
            for (size_t v = 0; v < vectors; v++)
                sums[i][v] = FMA(left, right[v], sums[i][v]);
        }
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
#define DEFINE_TILE(height)                                                                                        \
    TARGET static void NAME(tile_##height)(size_t cols, size_t depth, const ELEMENT *a, const ELEMENT *b,          \
                                           size_t b_step, ELEMENT *panel, ELEMENT alpha, ELEMENT beta, ELEMENT *c, \
                                           size_t ldc)                                                             \
    {                                                                                                              \
        if (panel)                                                                                                 \
            NAME(tile)(height, VECTORS, true, cols, depth, a, b, b_step, panel, alpha, beta, c, ldc);              \
        else if (cols > LANES)                                                                                     \
            NAME(tile)(height, VECTORS, false, cols, depth, a, b, 0, NULL, alpha, beta, c, ldc);                   \
        else                                                                                                       \
            NAME(tile)(height, 1, false, cols, depth, a, b, 0, NULL, alpha, beta, c, ldc);                         \
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

typedef void NAME(any_tile)(size_t cols, size_t depth, const ELEMENT *a, const ELEMENT *b, size_t b_step,
                            ELEMENT *panel, ELEMENT alpha, ELEMENT beta, ELEMENT *c, size_t ldc);

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

static void NAME(multiply)(size_t rows, size_t cols, size_t depth, const void *a, const void *panel, double alpha,
                           double beta, void *c, size_t ldc)
{
    NAME(tiles)[rows - 1](cols, depth, a, panel, 0, NULL, (ELEMENT)alpha, (ELEMENT)beta, c, ldc);
}

static void NAME(multiply_first)(size_t rows, size_t depth, const void *a, struct packed_view b, void *panel,
                                 double alpha, double beta, void *c, size_t ldc)
{
    NAME(tiles)[rows - 1](COLS, depth, a, b.data, b.down, panel, (ELEMENT)alpha, (ELEMENT)beta, c, ldc);
}

const struct packed_level LEVEL = {
    .bytes = sizeof(ELEMENT),
    .rows = ROWS,
    .cols = COLS,
    .pack_a = NAME(pack_a),
    .pack_b = NAME(pack_b),
    .multiply = NAME(multiply),
    .multiply_first = NAME(multiply_first),
};

#undef DEFINE_TILE
#undef UPDATE
#undef ROWS_AHEAD
#undef COLS
#undef LANES
