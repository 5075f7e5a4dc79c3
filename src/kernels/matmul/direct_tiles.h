/* Small products without panels: tiles of C in registers, A and B as they lie. Included by packed_tiles.h, whose macros
 * it uses. Where registers have masks, packed_<isa>.c also defines
 *   MASK                      the type of a register's mask
 *   MASKED_LOAD(m, p)         the lanes of m from memory
 *   MASKED_STORE(p, m, x)     writes the lanes of m
 *   REPEATED(l), REPEAT(i, x) lanes of x, lane l also behind l
 *   NARROW_LEVEL              the level that computes products of too few columns for these registers
 * Lanes behind the last column of B repeat it: so they raise no exception flag of their own. (Masked multiply-adds
 * would do it, too, at half the rate of others on a Zen 4.) Without masks, the last register ends with the last column,
 * and has columns of the one before, computed alike; fewer columns than a register has are copied and repeated. */
#ifndef NAME
#error "define LEVEL and the rest first: packed_tiles.h does"
#endif

#define HEIGHT (ROWS < 8 ? ROWS : 8) /* more rows would need more addresses than there are registers */

#define WHOLE(p) (*(const NAME(loose) *)(const void *)(p))
#ifdef MASK
#define LAST(p) ((NAME(vector))REPEAT(repeat, MASKED_LOAD(last, p)))
#define ALL_LANES ((MASK) ~(MASK)0)
#define LANES_BELOW(count) ((MASK)(ALL_LANES >> (LANES - (count))))
/* The last register of a row. */
#define LAST_OF(row) \
    (partial ? LAST(&(row)[(vectors - 1) * LANES]) : (NAME(vector))WHOLE(&(row)[(vectors - 1) * LANES]))
#define LANES_OF(v) (partial && (v) + 1 == vectors ? last : ALL_LANES)
#define OLD(row, v) ((NAME(vector))MASKED_LOAD(LANES_OF(v), &(row)[(v)*LANES]))
#define STORE(row, v, x) MASKED_STORE(&(row)[(v)*LANES], LANES_OF(v), x)
#else
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
#endif

/* A tile is a product of at most HEIGHT rows and WIDTH columns, whose B has rows in memory. `rows` and `vectors` are
 * constants where this is inlined, so that the sums are registers. `partial`: the last register is not full. */
TARGET static inline __attribute__((always_inline)) void NAME(direct_one)(size_t rows, size_t vectors, bool partial,
                                                                          const struct packed_product *tile)
{
    const ELEMENT *a = tile->a.data, *b = tile->b.data;
    const size_t down = tile->a.down, across = tile->a.across, b_step = tile->b.down, depth = tile->k;
    ELEMENT *c = tile->c;
    const size_t cols = tile->n, ldc = tile->ldc;
    NAME(vector) sums[8][VECTORS];
#ifdef MASK
    MASK last = LANES_BELOW(cols - (vectors - 1) * LANES);
    __asm__("" : "+k"(last)); /* it stays in a mask register */
    const __m512i repeat = REPEATED(cols - (vectors - 1) * LANES - 1);
#else
    const size_t last_at = partial ? cols - LANES : (vectors - 1) * LANES;
#endif
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
    }
    const ELEMENT alpha = (ELEMENT)tile->alpha, beta = (ELEMENT)tile->beta;
#ifndef MASK
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
#endif
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

#ifdef MASK
#define DEFINE_NARROW(height)                                                        \
    TARGET static void NAME(partial_##height##_1)(const struct packed_product *tile) \
    {                                                                                \
        NAME(direct_one)(height, 1, true, tile);                                     \
    }
#define NARROW(height) NAME(partial_##height##_1)
#else
#define DEFINE_NARROW(height)
#define NARROW(height) NAME(direct_##height##_1) /* of a panel, where the last column is repeated */
#endif
#define DIRECT_ROW(height)                                                                               \
    {                                                                                                    \
        NAME(direct_##height##_1), NAME(direct_##height##_2), NARROW(height), NAME(partial_##height##_2) \
    }
#define DEFINE_DIRECT(height)                                                        \
    TARGET static void NAME(direct_##height##_1)(const struct packed_product *tile)  \
    {                                                                                \
        NAME(direct_one)(height, 1, false, tile);                                    \
    }                                                                                \
    TARGET static void NAME(direct_##height##_2)(const struct packed_product *tile)  \
    {                                                                                \
        NAME(direct_one)(height, 2, false, tile);                                    \
    }                                                                                \
    TARGET static void NAME(partial_##height##_2)(const struct packed_product *tile) \
    {                                                                                \
        NAME(direct_one)(height, 2, true, tile);                                     \
    }                                                                                \
    DEFINE_NARROW(height)
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

static NAME(any_direct) *const NAME(direct_tiles)[HEIGHT][4] = {
    DIRECT_ROW(1), DIRECT_ROW(2), DIRECT_ROW(3), DIRECT_ROW(4),
#if ROWS > 4
    DIRECT_ROW(5), DIRECT_ROW(6),
#endif
#if ROWS > 6
    DIRECT_ROW(7), DIRECT_ROW(8),
#endif
};

#define WIDTH (2 * LANES)

/* Packs columns of B. Where they are fewer than a register has, the last one is repeated. */
TARGET static __attribute__((noinline)) void NAME(direct_panel)(ELEMENT *panel, struct packed_view b, size_t depth,
                                                                size_t cols)
{
    if (b.across == 1)
        NAME(copy)(panel, WIDTH, b.data, b.down, cols, depth);
    else
        NAME(turn)(panel, WIDTH, b.data, b.across, cols, depth);
#ifndef MASK
    for (size_t l = 0; l < depth; l++)
        for (size_t j = cols; j < LANES; j++)
            panel[l * WIDTH + j] = panel[l * WIDTH + cols - 1];
#endif
}

/* How many rows the tiles have that lie below each other: `least`, and the first `higher` ones a row more. */
struct NAME(heights) {
    uint32_t tiles, least, higher;
};

static inline struct NAME(heights) NAME(heights_of)(size_t rows)
{
    const uint32_t m = (uint32_t)rows, tiles = (m + HEIGHT - 1) / HEIGHT;
    return (struct NAME(heights)){tiles, m / tiles, m % tiles};
}

/* Registers of a row, less 1, and 2 where the last one is not full. */
static inline size_t NAME(direct_form)(size_t cols)
{
    return (cols > LANES) + 2 * (cols % LANES != 0);
}

/* All rows of at most WIDTH columns. Moves the tile down. */
static inline void NAME(direct_rows)(struct packed_product *tile, const struct NAME(heights) * heights)
{
    const size_t form = NAME(direct_form)(tile->n), step = tile->is_turned ? 1 : tile->ldc;
    for (uint32_t index = 0; index < heights->tiles; index++) {
        const size_t rows = heights->least + (index < heights->higher);
        NAME(direct_tiles)[rows - 1][form](tile);
        tile->a.data = (const ELEMENT *)tile->a.data + rows * tile->a.down;
        tile->c = (ELEMENT *)tile->c + rows * step;
    }
}

/* The same, when B's rows are to be packed. */
static __attribute__((noinline)) void NAME(direct_packed)(struct packed_product *tile,
                                                          const struct NAME(heights) * heights)
{
    _Alignas(64) ELEMENT panel[PACKED_DIRECT_MOST * WIDTH];
    const size_t down = tile->b.down, across = tile->b.across;
    NAME(direct_panel)(panel, tile->b, tile->k, tile->n);
    tile->b = (struct packed_view){panel, WIDTH, 1};
    NAME(direct_rows)(tile, heights);
    tile->b.down = down;
    tile->b.across = across;
}

/* Whether the tiles read B as it lies. */
static inline bool NAME(direct_is_ready)(const struct packed_product *p, size_t cols)
{
#ifdef MASK
    const bool is_wide = cols > 0;
#else
    const bool is_wide = cols >= LANES;
#endif
    return (p->b.across == 1 && is_wide) || p->k == 0;
}

/* Columns of the next tile, of `cols` that are left. Without masks the last columns fill a register. */
static inline size_t NAME(direct_width)(size_t cols)
{
#ifndef MASK
    if (cols > WIDTH && cols < WIDTH + LANES)
        return LANES;
#endif
    return cols < WIDTH ? cols : WIDTH;
}

/* Changes the product, field by field: a copy of what the caller has just written would wait for it. */
static void NAME(direct_wide)(struct packed_product *p)
{
    if (p->m <= HEIGHT && p->n <= WIDTH && NAME(direct_is_ready)(p, p->n)) {
        NAME(direct_tiles)[p->m - 1][NAME(direct_form)(p->n)](p);
        return;
    }
    const struct NAME(heights) heights = NAME(heights_of)(p->m);
    const size_t cols = p->n, step_b = p->b.across, step_c = p->is_turned ? p->ldc : 1;
    const ELEMENT *a = p->a.data, *b = p->b.data;
    ELEMENT *c = p->c;
    for (size_t left = 0; left < cols; left += p->n) {
        p->n = NAME(direct_width)(cols - left);
        p->a.data = a;
        p->b.data = b + left * step_b;
        p->c = c + left * step_c;
        if (NAME(direct_is_ready)(p, p->n))
            NAME(direct_rows)(p, &heights);
        else
            NAME(direct_packed)(p, &heights);
    }
}

#ifndef DIRECT_ONLY
/* A column of C without gaps is a row: C' = B'·A'. */
static inline void NAME(direct_as_row)(struct packed_product *p)
{
    if (p->n > 1 || p->ldc > 1 || p->m == 1)
        return;
    const struct packed_view a = p->a;
    p->n = p->m;
    p->m = 1;
    p->a = (struct packed_view){p->b.data, p->b.across, p->b.down};
    p->b = (struct packed_view){a.data, a.across, a.down};
}
#endif

#if !defined REST && !defined DIRECT_ONLY
#ifdef NARROW_LEVEL
/* Whether shorter registers are faster: for dot products of many rows, and where B would be packed for a part of one of
 * these registers, or for a single row of A. */
static inline bool NAME(direct_is_narrow)(const struct packed_product *p)
{
    if (p->n == 1)
        return p->m >= 8 && p->a.across == 1;
    return p->b.across != 1 && (p->n < LANES || (p->m == 1 && p->k > 3));
}
#endif

static void NAME(direct)(struct packed_product *p)
{
    NAME(direct_as_row)(p);
#ifdef NARROW_LEVEL
    if (NAME(direct_is_narrow)(p)) {
        NARROW_LEVEL.direct(p);
        return;
    }
    if (p->n == 1)
        p->b.across = 1;
#endif
    NAME(direct_wide)(p);
}
#endif

#undef WHOLE
#undef OLD
#undef STORE
#undef HEIGHT
#undef WIDTH
#undef DEFINE_DIRECT
#undef DEFINE_NARROW
#undef NARROW
#undef LAST_OF
#undef DIRECT_ROW
#ifdef MASK
#undef LAST
#undef ALL_LANES
#undef LANES_BELOW
#undef LANES_OF
#else
#undef BEGIN_OF
#endif
