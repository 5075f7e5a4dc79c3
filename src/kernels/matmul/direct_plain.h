/* Tiles of small products where registers have no masks. Included by direct_tiles.h. The last register of a row of C
 * ends with the last column, and has columns of the one before, computed alike; fewer columns than a register has are
 * copied and repeated. */
#ifndef NAME
#error "define LEVEL and the rest first: packed_tiles.h does"
#endif

#define HEIGHT ROWS
#define FAR_ROWS 16 /* of B, to prefetch */

#define WHOLE(p) (*(const NAME(loose) *)(const void *)(p))
#define LAST_OF(row) ((NAME(vector))WHOLE(&(row)[last_at]))
#define BEGIN_OF(v) ((v) + 1 < vectors ? (v)*LANES : last_at)
#define OLD(row, v) ((NAME(vector))WHOLE(&(row)[BEGIN_OF(v)]))
#define STORE(row, v, x) (*(NAME(loose) *)(void *)&(row)[BEGIN_OF(v)] = (NAME(loose))(x))

/* `count` elements of C that follow one another, at most four. */
TARGET static inline __attribute__((always_inline)) void NAME(put_four)(ELEMENT *c, NAME(four) sums, size_t count,
                                                                        ELEMENT alpha, ELEMENT beta)
{
    if (count == 4)
        *(NAME(four) *)(void *)c = UPDATE(*(NAME(four) *)(void *)c, sums);
    else
#pragma GCC unroll 3
        for (size_t i = 0; i < 3; i++)
            if (i < count)
                c[i] = UPDATE(c[i], sums[i]);
}

/* C = alpha·sums + beta·C, where C is turned: four rows of it at a time become parts of lines of C. Columns `whole` …
 * `whole + shift` of the sums are others' again. */
TARGET static inline __attribute__((always_inline)) void NAME(put_turned)(size_t count, const ELEMENT *from, ELEMENT *c,
                                                                          size_t whole, size_t shift,
                                                                          const struct packed_product *tile)
{
    const ELEMENT alpha = (ELEMENT)tile->alpha, beta = (ELEMENT)tile->beta;
    const size_t end = tile->n + shift, ldc = tile->ldc;
    for (size_t at = 0; at < end; at += TURNED) {
        NAME(strip) rows[4], columns[4];
#pragma GCC unroll 4
        for (size_t i = 0; i < 4; i++)
            rows[i] = *(const NAME(strip) *)(const void *)&from[(i < count ? i : 0) * VECTORS * LANES + at];
        NAME(turn_four)(columns, rows);
        for (size_t lane = 0; lane < TURNED; lane++) {
            const ELEMENT *column = (const ELEMENT *)columns + lane % 4 * TURNED + lane / 4 * 4;
            const NAME(four) sums = *(const NAME(four) *)(const void *)column;
            const size_t j = at + lane;
            if (j < whole)
                NAME(put_four)(&c[j * ldc], sums, count, alpha, beta);
            else if (j >= whole + shift && j < end)
                NAME(put_four)(&c[(j - shift) * ldc], sums, count, alpha, beta);
        }
    }
}

/* C = alpha·sums + beta·C, where C is turned or has fewer columns than a register. */
TARGET static __attribute__((noinline)) void NAME(direct_put)(size_t rows, const NAME(vector) * sums,
                                                              const struct packed_product *tile)
{
    const ELEMENT alpha = (ELEMENT)tile->alpha, beta = (ELEMENT)tile->beta;
    const ELEMENT *from = (const ELEMENT *)sums;
    ELEMENT *c = tile->c;
    if (!tile->is_turned) {
        for (size_t i = 0; i < rows; i++, c += tile->ldc, from += VECTORS * LANES)
            for (size_t j = 0; j < tile->n; j++)
                c[j] = UPDATE(c[j], from[j]);
        return;
    }
    const size_t whole = tile->n / LANES * LANES;
    const size_t shift = tile->n > LANES && tile->n > whole ? whole + LANES - tile->n : 0; /* of the last register */
    for (size_t i = 0; i < rows; i += 4)
        NAME(put_turned)(rows - i < 4 ? rows - i : 4, from + i * VECTORS * LANES, c + i, whole, shift, tile);
}

/* A tile is a product of at most HEIGHT rows and WIDTH columns, whose B has rows in memory. `rows` and `vectors` are
 * constants where this is inlined, so that the sums are registers. `partial`: the last register is not full. `far`: B's
 * rows come from beyond the first-level cache, and follow each other too far apart for its prefetcher. */
TARGET static inline __attribute__((always_inline)) void NAME(direct_one)(size_t rows, size_t vectors, bool partial,
                                                                          bool far, const struct packed_product *tile)
{
    const ELEMENT *a = tile->a.data, *b = tile->b.data;
    const size_t down = tile->a.down, across = tile->a.across, b_step = tile->b.down, depth = tile->k;
    ELEMENT *c = tile->c;
    const size_t cols = tile->n, ldc = tile->ldc;
    NAME(vector) sums[8][VECTORS];
    const size_t last_at = partial ? cols - LANES : (vectors - 1) * LANES;
#pragma GCC unroll 8
    for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            sums[i][v] = (NAME(vector)){0};
    UNROLL(STEPS)
    for (size_t l = 0; l < depth; l++, a += across, b += b_step) {
        NAME(vector) right[VECTORS];
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            right[v] = v + 1 < vectors ? (NAME(vector))WHOLE(&b[v * LANES]) : LAST_OF(b);
#pragma GCC unroll 8
        for (size_t i = 0; i < rows; i++) {
            NAME(vector) left = BROADCAST(a[i * down]);
#pragma GCC unroll 4
            for (size_t v = 0; v < vectors; v++)
                sums[i][v] = FMA(left, right[v], sums[i][v]);
        }
        if (far)
            for (size_t x = 0; x < vectors * LANES; x += LINE)
                __builtin_prefetch(&b[FAR_ROWS * b_step + x]);
    }
    const ELEMENT alpha = (ELEMENT)tile->alpha, beta = (ELEMENT)tile->beta;
    if (tile->is_turned || cols < LANES) {
        NAME(vector) kept[8 * VECTORS];
#pragma GCC unroll 8
        for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
            for (size_t v = 0; v < vectors; v++)
                kept[i * VECTORS + v] = sums[i][v];
        NAME(direct_put)(rows, kept, tile);
        return;
    }
    /* All of C is read before any of it is written: registers may overlap. */
    if (alpha != 1)
#pragma GCC unroll 8
        for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
            for (size_t v = 0; v < vectors; v++)
                sums[i][v] = alpha * sums[i][v];
    if (beta != 0)
#pragma GCC unroll 8
        for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
            for (size_t v = 0; v < vectors; v++)
                sums[i][v] += beta * OLD(&c[i * ldc], v);
#pragma GCC unroll 8
    for (size_t i = 0; i < rows; i++, c += ldc)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            STORE(c, v, sums[i][v]);
}

typedef void NAME(any_direct)(const struct packed_product *);

#define DEFINE_FORM(height, form, ...)                                                   \
    TARGET static void NAME(direct_##height##_##form)(const struct packed_product *tile) \
    {                                                                                    \
        NAME(direct_one)(height, __VA_ARGS__, tile);                                     \
    }
#define DEFINE_NEAR(height)                   \
    DEFINE_FORM(height, one, 1, false, false) \
    DEFINE_FORM(height, two, 2, false, false) \
    DEFINE_FORM(height, partial, 2, true, false)
#define NEAR(height) NAME(direct_##height##_one), NAME(direct_##height##_two), NAME(direct_##height##_partial)
#if VECTOR_BYTES > 16
#define FAR_FORMS 2
#define DEFINE_DIRECT(height)                \
    DEFINE_NEAR(height)                      \
    DEFINE_FORM(height, far, 2, false, true) \
    DEFINE_FORM(height, far_partial, 2, true, true)
#define DIRECT_ROW(height)                                                             \
    {                                                                                  \
        NEAR(height), NAME(direct_##height##_far), NAME(direct_##height##_far_partial) \
    }
#else
#define FAR_FORMS 0
#define DEFINE_DIRECT DEFINE_NEAR
#define DIRECT_ROW(height) \
    {                      \
        NEAR(height)       \
    }
#endif
DEFINE_DIRECT(1)
DEFINE_DIRECT(2)
DEFINE_DIRECT(3)
DEFINE_DIRECT(4)
#if ROWS > 4
DEFINE_DIRECT(5)
DEFINE_DIRECT(6)
#endif
#if ROWS > 6
DEFINE_DIRECT(7)
DEFINE_DIRECT(8)
#endif

static NAME(any_direct) *const NAME(direct_tiles)[HEIGHT][3 + FAR_FORMS] = {
    DIRECT_ROW(1), DIRECT_ROW(2), DIRECT_ROW(3), DIRECT_ROW(4),
#if ROWS > 4
    DIRECT_ROW(5), DIRECT_ROW(6),
#endif
#if ROWS > 6
    DIRECT_ROW(7), DIRECT_ROW(8),
#endif
};

/* By columns; the last one is of those that are too many for a tile. Fewer than a register has lie in a
 * panel, where the last one is repeated. */
static inline size_t NAME(direct_form)(size_t cols)
{
    return cols > WIDTH ? 3 : (cols > LANES) + (cols > LANES && cols < WIDTH);
}

/* The most columns of a tile, of a product of so many rows and columns. */
static inline size_t NAME(direct_most)(size_t rows, size_t cols, bool far)
{
    (void)rows, (void)cols, (void)far;
    return WIDTH;
}

/* The most rows of a tile. */
static inline uint32_t NAME(direct_height)(size_t form)
{
    return form < 3 ? HEIGHT : 0;
}

static inline NAME(any_direct) * NAME(direct_tile)(size_t rows, size_t form, bool far)
{
    return NAME(direct_tiles)[rows - 1][far && form > 0 ? form + FAR_FORMS : form];
}

/* Packs columns of B. Where they are fewer than a register has, the last one is repeated. */
TARGET static __attribute__((noinline)) void NAME(direct_panel)(ELEMENT *panel, struct packed_view b, size_t depth,
                                                                size_t cols)
{
    if (b.across == 1)
        NAME(copy)(panel, WIDTH, b.data, b.down, cols, depth);
    else
        NAME(turn)(panel, WIDTH, b.data, b.across, cols, depth);
    for (size_t l = 0; l < depth; l++)
        for (size_t j = cols; j < LANES; j++)
            panel[l * WIDTH + j] = panel[l * WIDTH + cols - 1];
}

/* Whether the tiles read B as it lies. */
static inline bool NAME(direct_is_ready)(const struct packed_product *p, size_t cols)
{
    return (p->b.across == 1 && cols >= LANES) || p->k == 0;
}

#undef WHOLE
#undef LAST_OF
#undef BEGIN_OF
#undef OLD
#undef STORE
#undef DEFINE_FORM
#undef DEFINE_NEAR
#undef NEAR
#undef FAR_FORMS
#undef DEFINE_DIRECT
#undef FAR_ROWS
#undef DIRECT_ROW
