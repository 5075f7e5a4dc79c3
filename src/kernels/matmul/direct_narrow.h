/* Small products of fewer columns than a register has, or of few rows while B lies by columns. Included by
 * packed_tiles.h where packed_<isa>.c defines the macros of direct_dots.h and
 *   HALF(x)              x with the suffix of registers of half the size (packed_tiles.h with DIRECT_ONLY) */
#ifndef NAME
#error "define LEVEL and the rest first: packed_tiles.h does"
#endif

#include "kernels/matmul/direct_dots.h"

/* Where B lies by columns, it is read without packing: for one row, and from DOTS_DEPTH on for up to DOTS_ROWS rows. */
#define DOTS_ROWS 4
#define DOTS_DEPTH (2 * LANES)

/* Columns up to which, and depth below which, registers have nothing to gain. */
#define FEW_COLUMNS 3
#define FEW_DEPTH 8

TARGET static inline __attribute__((always_inline)) void NAME(direct_few)(size_t cols, const struct packed_product *p)
{
    const ELEMENT *a = p->a.data, alpha = (ELEMENT)p->alpha, beta = (ELEMENT)p->beta;
    ELEMENT *c = p->c;
    for (size_t i = 0; i < p->m; i++, a += p->a.down, c += p->ldc) {
        const ELEMENT *b = p->b.data;
        ELEMENT sums[FEW_COLUMNS] = {0};
        for (size_t l = 0; l < p->k; l++, b += p->b.down)
#pragma GCC unroll 3
            for (size_t j = 0; j < cols; j++)
                sums[j] += a[l * p->a.across] * b[j * p->b.across];
#pragma GCC unroll 3
        for (size_t j = 0; j < cols; j++)
            c[j] = UPDATE(c[j], sums[j]);
    }
}

/* C' = B'·A', whose factor A' has rows in memory. */
static inline void NAME(direct_turned)(struct packed_product *p)
{
    const struct packed_view a = p->a;
    const size_t m = p->m;
    p->m = p->n;
    p->n = m;
    p->a = (struct packed_view){p->b.data, p->b.across, p->b.down};
    p->b = (struct packed_view){a.data, a.across, a.down};
    p->is_turned = true;
    if (m >= LANES)
        NAME(direct_wide)(p);
    else
        HALF(direct_wide)(p);
}

TARGET static __attribute__((noinline)) void NAME(direct_narrow)(struct packed_product *p)
{
    if (LANES > 4 && p->n <= FEW_COLUMNS && p->n > 1 && p->k < FEW_DEPTH) {
        if (p->n == 2)
            NAME(direct_few)(2, p);
        else
            NAME(direct_few)(3, p);
    } else if (p->n < LANES && p->n >= LANES / 2 && (p->b.across == 1 || p->k < DOTS_DEPTH)) {
        HALF(direct_wide)(p);
    } else if (p->a.down == 1 && p->m >= LANES / 2) {
        NAME(direct_turned)(p);
    } else {
        NAME(direct_dots)(p);
    }
}

static void NAME(direct)(struct packed_product *p)
{
    NAME(direct_as_row)(p);
    if (p->n >= LANES && (p->b.across == 1 || p->m > DOTS_ROWS || (p->m > 1 && p->k < DOTS_DEPTH)))
        NAME(direct_wide)(p);
    else
        NAME(direct_narrow)(p);
}

#undef FEW_COLUMNS
#undef FEW_DEPTH
#undef DOTS_ROWS
#undef DOTS_DEPTH
