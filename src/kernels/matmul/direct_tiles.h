/* Small products without panels: tiles of C in registers, A and B as they lie. Included by packed_tiles.h, whose macros
 * it uses. Where registers have masks, packed_<isa>.c also defines
 *   MASK                      the type of a register's mask
 *   MASKED_LOAD(m, p)         the lanes of m from memory
 *   MASKED_STORE(p, m, x)     writes the lanes of m
 *   REPEATED(l), REPEAT(i, x) lanes of x, lane l also behind l
 * Lanes behind the last column of B repeat it: so they raise no exception flag of their own. (Masked multiply-adds
 * would do it, too, at half the rate of others on a Zen 4.) Without masks, the last register ends with the last column,
 * and has columns of the one before, computed alike; fewer columns than a register has are copied and repeated. */
#ifndef LEVEL
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
#else
#define LAST_OF(row) ((NAME(vector))WHOLE(&(row)[last_at]))
#endif

/* C = alpha·sums + beta·C. */
TARGET static __attribute__((noinline)) void NAME(direct_put)(size_t rows, const NAME(vector) * sums,
                                                              const struct packed_product *tile)
{
    const ELEMENT alpha = (ELEMENT)tile->alpha, beta = (ELEMENT)tile->beta;
    const size_t whole = tile->n / LANES, rest = tile->n % LANES;
    ELEMENT *c = tile->c;
    for (size_t i = 0; i < rows; i++, c += tile->ldc, sums += VECTORS) {
        for (size_t v = 0; v < whole; v++) {
            NAME(loose) *target = (NAME(loose) *)(void *)&c[v * LANES];
            *target = UPDATE(*target, sums[v]);
        }
#ifdef MASK
        if (rest > 0) {
            NAME(vector) result = alpha * sums[whole];
            if (beta != 0)
                result += beta * MASKED_LOAD(LANES_BELOW(rest), &c[whole * LANES]);
            MASKED_STORE(&c[whole * LANES], LANES_BELOW(rest), result);
        }
#else
        const size_t first = whole > 0 ? LANES - rest : 0;
        for (size_t j = 0; j < rest; j++)
            c[whole * LANES + j] = UPDATE(c[whole * LANES + j], sums[whole][first + j]);
#endif
    }
}

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
#ifdef MASK
    if (tile->alpha == 1 && tile->beta == 0) {
#pragma GCC unroll 8
        for (size_t i = 0; i < rows; i++, c += ldc)
#pragma GCC unroll 4
            for (size_t v = 0; v < vectors; v++)
                MASKED_STORE(&c[v * LANES], partial && v + 1 == vectors ? last : ALL_LANES, sums[i][v]);
        return;
    }
#else
    if (tile->alpha == 1 && tile->beta == 0 && cols >= LANES) {
#pragma GCC unroll 8
        for (size_t i = 0; i < rows; i++, c += ldc)
#pragma GCC unroll 4
            for (size_t v = 0; v < vectors; v++)
                *(NAME(loose) *)(void *)&c[v + 1 < vectors ? v * LANES : last_at] = (NAME(loose))sums[i][v];
        return;
    }
#endif
    NAME(vector) kept[8 * VECTORS];
#pragma GCC unroll 8
    for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            kept[i * VECTORS + v] = sums[i][v];
    NAME(direct_put)(rows, kept, tile);
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

/* All rows of at most WIDTH columns. */
static inline void NAME(direct_rows)(const struct packed_product *p)
{
    const size_t form = (p->n > LANES) + 2 * (p->n % LANES != 0); /* registers of a row, less 1; the last is not full */
    if (p->m <= HEIGHT) {
        NAME(direct_tiles)[p->m - 1][form](p);
        return;
    }
    struct packed_product tile = *p;
    const uint32_t m = (uint32_t)p->m, panels = (m + HEIGHT - 1) / HEIGHT, height = m / panels, higher = m % panels;
    for (uint32_t index = 0; index < panels; index++) {
        const size_t rows = height + (index < higher);
        NAME(direct_tiles)[rows - 1][form](&tile);
        tile.a.data = (const ELEMENT *)tile.a.data + rows * tile.a.down;
        tile.c = (ELEMENT *)tile.c + rows * tile.ldc;
    }
}

/* The same, when B's rows are to be packed. */
static __attribute__((noinline)) void NAME(direct_packed)(const struct packed_product *p)
{
    _Alignas(64) ELEMENT panel[PACKED_DIRECT_MOST * WIDTH];
    struct packed_product tile = *p;
    NAME(direct_panel)(panel, p->b, p->k, p->n);
    tile.b = (struct packed_view){panel, WIDTH, 1};
    NAME(direct_rows)(&tile);
}

static void NAME(direct_columns)(const struct packed_product *p)
{
#ifdef MASK
    const bool is_ready = true;
#else
    const bool is_ready = p->n >= LANES;
#endif
    if ((p->b.across == 1 && is_ready) || p->k == 0)
        NAME(direct_rows)(p);
    else
        NAME(direct_packed)(p);
}

/* Of so many columns, how many go first. Where there are no masks, the last columns fill a register. */
static inline size_t NAME(direct_width)(size_t cols)
{
#ifndef MASK
    if (cols > WIDTH && cols < WIDTH + LANES)
        return LANES;
#endif
    return cols < WIDTH ? cols : WIDTH;
}

static void NAME(direct)(const struct packed_product *p)
{
    if (p->n <= WIDTH) {
        NAME(direct_columns)(p);
        return;
    }
    struct packed_product part = *p;
    for (size_t left = 0; left < p->n; left += part.n) {
        part.n = NAME(direct_width)(p->n - left);
        part.b.data = (const ELEMENT *)p->b.data + left * p->b.across;
        part.c = (ELEMENT *)p->c + left;
        NAME(direct_columns)(&part);
    }
}

#undef WHOLE
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
#endif
