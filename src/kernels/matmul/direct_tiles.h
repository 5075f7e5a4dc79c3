/* Small products without panels: tiles of C in registers, A and B as they lie. Included by packed_tiles.h, whose macros
 * it uses. direct_masked.h or direct_plain.h has the tiles: as functions of the product by rows and form, where B has
 * rows in memory; direct_form of the columns; and direct_panel, which packs B where direct_is_ready says that it is to
 * be. */
#ifndef NAME
#error "define LEVEL and the rest first: packed_tiles.h does"
#endif

#define WIDTH (2 * LANES)
enum { NAME(DIRECT_COLS) = WIDTH };

#ifdef MASK
#include "kernels/matmul/direct_masked.h"
#else
#include "kernels/matmul/direct_plain.h"
#endif

/* How many rows the tiles have that lie below each other: `least`, and the first `higher` ones a row more. */
struct NAME(heights) {
    uint32_t tiles, least, higher;
};

static inline struct NAME(heights) NAME(heights_of)(size_t rows, size_t form)
{
    const uint32_t m = (uint32_t)rows, most = NAME(direct_height)(form), tiles = (m + most - 1) / most;
    return (struct NAME(heights)){tiles, m / tiles, m % tiles};
}

/* All rows of at most WIDTH columns. Moves the tile down. */
static inline void NAME(direct_rows)(struct packed_product *tile)
{
    const size_t form = NAME(direct_form)(tile->n), step = tile->is_turned ? 1 : tile->ldc;
    const struct NAME(heights) heights = NAME(heights_of)(tile->m, form);
    for (uint32_t index = 0; index < heights.tiles; index++) {
        const size_t rows = heights.least + (index < heights.higher);
        NAME(direct_tile)(rows, form, tile->is_far)(tile);
        tile->a.data = (const ELEMENT *)tile->a.data + rows * tile->a.down;
        tile->c = (ELEMENT *)tile->c + rows * step;
    }
}

/* The same, when B's rows are to be packed. */
static __attribute__((noinline)) void NAME(direct_packed)(struct packed_product *tile)
{
    _Alignas(64) ELEMENT panel[PACKED_DIRECT_MOST * WIDTH];
    const size_t down = tile->b.down, across = tile->b.across;
    NAME(direct_panel)(panel, tile->b, tile->k, tile->n);
    tile->b = (struct packed_view){panel, WIDTH, 1};
    NAME(direct_rows)(tile);
    tile->b.down = down;
    tile->b.across = across;
}

/* Columns of the next tile, of `cols` that are left: the last one has whole registers if there is another. */
static inline size_t NAME(direct_width)(size_t cols, size_t most)
{
    return cols <= most ? cols : cols < most + LANES ? most - LANES : most;
}

/* Changes the product, field by field: a copy of what the caller has just written would wait for it. */
static __attribute__((noinline)) void NAME(direct_many)(struct packed_product *p)
{
    const size_t cols = p->n, step_b = p->b.across, step_c = p->is_turned ? p->ldc : 1;
    const ELEMENT *a = p->a.data, *b = p->b.data;
    ELEMENT *c = p->c;
    const size_t most = NAME(direct_is_ready)(p, WIDTH) ? NAME(direct_most)(p->m, p->n, p->is_far) : WIDTH;
    for (size_t left = 0; left < cols; left += p->n) {
        p->n = NAME(direct_width)(cols - left, most);
        p->a.data = a;
        p->b.data = b + left * step_b;
        p->c = c + left * step_c;
        if (NAME(direct_is_ready)(p, p->n))
            NAME(direct_rows)(p);
        else
            NAME(direct_packed)(p);
    }
}

/* A single tile is reached without registers saved. */
static inline void NAME(direct_wide)(struct packed_product *p)
{
    const size_t form = NAME(direct_form)(p->n);
    if (p->m <= NAME(direct_height)(form) && NAME(direct_is_ready)(p, p->n))
        NAME(direct_tile)(p->m, form, false)(p);
    else
        NAME(direct_many)(p);
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

#ifdef MASK
#include "kernels/matmul/direct_crossed.h"
#elif !defined REST && !defined DIRECT_ONLY
static void NAME(direct)(struct packed_product *p)
{
    NAME(direct_as_row)(p);
    NAME(direct_wide)(p);
}
#endif

#undef HEIGHT
#undef WIDE_HEIGHT
#undef WIDTH
