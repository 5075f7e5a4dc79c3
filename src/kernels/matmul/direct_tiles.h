/* Small products without panels: tiles of C in registers, A and B as they lie. Included by packed_tiles.h, whose macros
 * it uses. Where registers have masks, packed_<isa>.c also defines
 *   MASK                      the type of a register's mask
 *   MASKED_LOAD(m, p)         the lanes of m from memory, 0 in the others
 *   MASKED_FMA(x, y, z, m)    x·y + z in the lanes of m, z in the others
 *   MASKED_STORE(p, m, x)     writes the lanes of m
 * Without masks, narrow columns of B are copied, and the lanes behind the last column repeat it: they raise no
 * exception flag of their own. */
#define HEIGHT (ROWS < 8 ? ROWS : 8) /* more rows would need more addresses than there are registers */

/* What the tiles of a product share, and where one begins. */
struct NAME(direct_tile) {
    const ELEMENT *a, *b;
    size_t a_down, a_across, b_step, depth, cols;
    ELEMENT *c;
    size_t ldc;
    ELEMENT alpha, beta;
};

#define WHOLE(p) (*(const NAME(loose) *)(const void *)(p))
#ifdef MASK
#define LAST(p) ((NAME(vector))MASKED_LOAD(last, p))
#define LAST_FMA(x, y, z) MASKED_FMA(x, y, z, last)
#define ALL_LANES ((MASK) ~(MASK)0)
#define LANES_BELOW(count) ((MASK)(ALL_LANES >> (LANES - (count))))

/* C = alpha·sum + beta·C in the lanes of the mask. */
TARGET static inline __attribute__((always_inline)) void NAME(put_lanes)(ELEMENT *c, MASK lanes, NAME(vector) sum,
                                                                         ELEMENT alpha, ELEMENT beta)
{
    NAME(vector) result = alpha * sum;
    if (beta != 0)
        result += beta * MASKED_LOAD(lanes, c);
    MASKED_STORE(c, lanes, result);
}
#endif

#ifndef MASK
#define LAST(p) ((NAME(vector))WHOLE(p))
#define LAST_FMA FMA
#endif

/* `rows` and `vectors` are constants where this is inlined, so that the sums are registers. */
TARGET static inline __attribute__((always_inline)) void NAME(direct_one)(size_t rows, size_t vectors,
                                                                          const struct NAME(direct_tile) * tile)
{
    const ELEMENT *a = tile->a, *b = tile->b;
    const size_t down = tile->a_down, across = tile->a_across, b_step = tile->b_step;
    NAME(vector) sums[8][VECTORS];
#ifdef MASK
    const MASK last = LANES_BELOW(tile->cols - (vectors - 1) * LANES);
#endif
#pragma GCC unroll 8
    for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            sums[i][v] = (NAME(vector)){0};
    UNROLL(STEPS)
    for (size_t l = 0; l < tile->depth; l++, a += across, b += b_step) {
        NAME(vector) right[VECTORS];
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            right[v] = v + 1 == vectors ? LAST(&b[v * LANES]) : (NAME(vector))WHOLE(&b[v * LANES]);
#pragma GCC unroll 8
        for (size_t i = 0; i < rows; i++) {
            NAME(vector) left = BROADCAST(a[i * down]);
#pragma GCC unroll 4
            for (size_t v = 0; v < vectors; v++)
                sums[i][v] = v + 1 == vectors ? LAST_FMA(left, right[v], sums[i][v]) : FMA(left, right[v], sums[i][v]);
        }
    }
    const ELEMENT alpha = tile->alpha, beta = tile->beta;
#ifdef MASK
#pragma GCC unroll 8
    for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            NAME(put_lanes)
    (&tile->c[i * tile->ldc + v * LANES], v + 1 == vectors ? last : ALL_LANES, sums[i][v], alpha, beta);
#else
    NAME(vector) kept[8 * VECTORS];
#pragma GCC unroll 8
    for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++)
            kept[i * VECTORS + v] = sums[i][v];
    if (tile->cols < vectors * LANES) {
        NAME(put_some)(rows, tile->cols, kept, alpha, beta, tile->c, tile->ldc);
        return;
    }
    for (size_t i = 0; i < rows; i++)
        for (size_t v = 0; v < vectors; v++) {
            NAME(loose) *target = (NAME(loose) *)(void *)&tile->c[i * tile->ldc + v * LANES];
            *target = UPDATE(*target, kept[i * VECTORS + v]);
        }
#endif
}

typedef void NAME(any_direct)(const struct NAME(direct_tile) *);

#define DEFINE_DIRECT(height)                                                           \
    TARGET static void NAME(direct_##height##_1)(const struct NAME(direct_tile) * tile) \
    {                                                                                   \
        NAME(direct_one)(height, 1, tile);                                              \
    }                                                                                   \
    TARGET static void NAME(direct_##height##_2)(const struct NAME(direct_tile) * tile) \
    {                                                                                   \
        NAME(direct_one)(height, 2, tile);                                              \
    }
#define DIRECT_ROW(height)                                   \
    {                                                        \
        NAME(direct_##height##_1), NAME(direct_##height##_2) \
    }
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

static NAME(any_direct) *const NAME(direct_tiles)[HEIGHT][2] = {
    DIRECT_ROW(1), DIRECT_ROW(2), DIRECT_ROW(3), DIRECT_ROW(4),
#if ROWS > 4
    DIRECT_ROW(5), DIRECT_ROW(6),
#endif
#if ROWS > 6
    DIRECT_ROW(7), DIRECT_ROW(8),
#endif
};

#define WIDTH (2 * LANES)

/* Packs columns of B; lanes behind the last column repeat it. */
TARGET static __attribute__((noinline)) void NAME(direct_panel)(ELEMENT *panel, struct packed_view b, size_t depth,
                                                                size_t cols)
{
    if (b.across == 1)
        NAME(copy)(panel, WIDTH, b.data, b.down, cols, depth);
    else
        NAME(turn)(panel, WIDTH, b.data, b.across, cols, depth);
#ifndef MASK
    for (size_t l = 0; l < depth; l++)
        for (size_t j = cols; j < WIDTH; j++)
            panel[l * WIDTH + j] = panel[l * WIDTH + cols - 1];
#endif
}

static void NAME(direct_rows)(struct NAME(direct_tile) * tile, size_t m)
{
    const size_t panels = (m + HEIGHT - 1) / HEIGHT, height = m / panels, higher = m % panels;
    const size_t vectors = (tile->cols + LANES - 1) / LANES;
    for (size_t index = 0; index < panels; index++) {
        const size_t rows = height + (index < higher);
        NAME(direct_tiles)[rows - 1][vectors - 1](tile);
        tile->a += rows * tile->a_down;
        tile->c += rows * tile->ldc;
    }
}

/* The columns of a tile that B's rows are packed for. */
static __attribute__((noinline)) void NAME(direct_packed)(struct NAME(direct_tile) * tile, struct packed_view b,
                                                          size_t m)
{
    _Alignas(64) ELEMENT panel[PACKED_DIRECT_MOST * WIDTH];
    NAME(direct_panel)(panel, b, tile->depth, tile->cols);
    tile->b = panel;
    tile->b_step = WIDTH;
    NAME(direct_rows)(tile, m);
}

static void NAME(direct)(const struct packed_product *p)
{
    for (size_t left = 0; left < p->n; left += WIDTH) {
        struct packed_view b = p->b;
        b.data = (const ELEMENT *)b.data + left * b.across;
        struct NAME(direct_tile) tile = {
            .a = p->a.data,
            .b = b.data,
            .a_down = p->a.down,
            .a_across = p->a.across,
            .b_step = b.down,
            .depth = p->k,
            .cols = p->n - left < WIDTH ? p->n - left : WIDTH,
            .c = (ELEMENT *)p->c + left,
            .ldc = p->ldc,
            .alpha = (ELEMENT)p->alpha,
            .beta = (ELEMENT)p->beta,
        };
#ifdef MASK
        const bool is_ready = true;
#else
        const bool is_ready = tile.cols % LANES == 0;
#endif
        if ((b.across == 1 && is_ready) || p->k == 0)
            NAME(direct_rows)(&tile, p->m);
        else
            NAME(direct_packed)(&tile, b, p->m);
    }
}

#undef WHOLE
#undef LAST
#undef LAST_FMA
#undef HEIGHT
#undef WIDTH
#undef DEFINE_DIRECT
#undef DIRECT_ROW
#ifdef MASK
#undef ALL_LANES
#undef LANES_BELOW
#endif
