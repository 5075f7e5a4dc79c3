/* Small products where registers have masks: what B lies like decides. Included by direct_tiles.h. */
#ifndef NAME
#error "define LEVEL and the rest first: packed_tiles.h does"
#endif

/* C' = B'·A', whose factor A' has rows in memory: blocks of C' are computed apart, and turned into C. */
static __attribute__((noinline)) void NAME(direct_crossed)(const struct packed_product *p)
{
    _Alignas(64) ELEMENT room[LANES * WIDTH];
    const ELEMENT *a = p->a.data, *b = p->b.data;
    ELEMENT *c = p->c;
    size_t rows, cols;
    for (size_t left = 0; left < p->m; left += cols) {
        cols = NAME(direct_width)(p->m - left, WIDTH);
        for (size_t top = 0; top < p->n; top += rows) {
            rows = NAME(least)(p->n - top, LANES);
            struct packed_product block = {
                .m = rows,
                .n = cols,
                .k = p->k,
                .a = {&b[top * p->b.across], p->b.across, 1},
                .b = {&a[left], p->a.across, 1},
                .alpha = p->alpha,
                .c = room,
                .ldc = WIDTH,
            };
            NAME(direct_rows)(&block);
            NAME(put_turned)(&c[left * p->ldc + top], p->ldc, room, rows, cols, (ELEMENT)p->beta);
        }
    }
}

/* Whether shorter registers are faster: for dot products of lines that follow one another, and for few columns where
 * both factors would be turned. */
static inline bool NAME(direct_is_narrow)(const struct packed_product *p)
{
    return p->n == 1          ? p->m >= 8 && p->a.across == 1
           : p->b.across == 1 ? false
           : p->m == 1        ? p->k > 3
           : p->a.across == 1 ? p->k >= LANES && (p->m <= 4 || p->n < HALF_LANES)
                              : p->n < HALF_LANES;
}

static void NAME(direct)(struct packed_product *p)
{
    NAME(direct_as_row)(p);
    if (NAME(direct_is_narrow)(p)) {
        NARROW_LEVEL.direct(p);
        return;
    }
    if (p->n == 1)
        p->b.across = 1;
    if (p->b.across != 1 && p->a.down == 1 && p->k > 0)
        NAME(direct_crossed)(p);
    else
        NAME(direct_wide)(p);
}

#undef HALF_LANES
#undef ALWAYS
