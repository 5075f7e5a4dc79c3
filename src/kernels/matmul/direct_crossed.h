/* Small products where registers have masks: what B lies like decides. Included by direct_tiles.h. Where both factors
 * are turned, C' = B'·A' has a factor with rows in memory, A'. Its tiles are turned in registers, four rows at a time:
 * what a column has of them is a part of a line of C. packed_<isa>.c defines, for `size` 512 and 256 bits,
 *   LOW_PAIRS_size, HIGH_PAIRS_size   of two registers whose pairs of elements are to follow one another
 *   PIECES_size(PUT)                  PUT(column, four elements of turned[…]) for each column, in order
 *   OF_FOUR(x)                        the intrinsic x of four elements */
#ifndef NAME
#error "define LEVEL and the rest first: packed_tiles.h does"
#endif

/* How lines of C are written. `all`: all four elements of a part; else those of `lanes`. `adds`: beta is not 0. */
struct NAME(lines_of_c) {
    size_t ldc;
    bool all, adds;
    HALF_MASK lanes;
    ELEMENT beta;
};

TARGET static ALWAYS void NAME(put_part)(ELEMENT *c, NAME(four) part, const struct NAME(lines_of_c) * to)
{
    if (to->adds)
        part = (NAME(four))OF_FOUR(mask_add)(
            part, to->lanes, part,
            OF_FOUR(maskz_mul)(to->lanes, OF_FOUR(set1)(to->beta), OF_FOUR(maskz_loadu)(to->lanes, c)));
    if (to->all) {
        OF_FOUR(storeu)(c, part);
        return;
    }
    __asm__("" : "+v"(part)); /* gcc would extract and store in one: that faults where memory ends behind the lanes */
    OF_FOUR(mask_storeu)(c, to->lanes, part);
}

/* Columns `first` … `end` of a register of each of four rows, from `c` on, where column 0 would be. */
#define PUT(column, part)                        \
    if ((column) >= end)                         \
        return;                                  \
    if ((column) >= first)                       \
        NAME(put_part)(c, (NAME(four))part, to); \
    c += to->ldc;
#define DEFINE_PUT(put, type, size)                                                                           \
    TARGET static ALWAYS void NAME(put)(ELEMENT * c, const NAME(type) x[4], size_t first, size_t end,         \
                                        const struct NAME(lines_of_c) * to)                                   \
    {                                                                                                         \
        const NAME(type) low = OF(size, unpacklo)(x[0], x[1]), next_low = OF(size, unpacklo)(x[2], x[3]);     \
        const NAME(type) high = OF(size, unpackhi)(x[0], x[1]), next_high = OF(size, unpackhi)(x[2], x[3]);   \
        const NAME(type) turned[4] = {LOW_PAIRS_##size(low, next_low), HIGH_PAIRS_##size(low, next_low),      \
                                      LOW_PAIRS_##size(high, next_high), HIGH_PAIRS_##size(high, next_high)}; \
        PIECES_##size(PUT)                                                                                    \
    }
DEFINE_PUT(put_crossed, vector, 512)
DEFINE_PUT(put_crossed_half, half, 256)

/* All of a tile, four rows at a time: the last four end with the tile's last row, and repeat rows of those before. */
TARGET static ALWAYS void NAME(put_tile)(const struct NAME(sums) * sums, size_t rows, struct NAME(row) row, bool adds,
                                         const struct packed_product *tile)
{
    const size_t repeated = rows > 4 ? rows - tile->m : 0, ldc = tile->ldc;
    const size_t last = tile->n - (row.half ? HALF_LANES : LANES), end = row.partial ? tile->n : LANES;
#pragma GCC unroll 3
    for (size_t i = 0; i < rows; i += 4) {
        const bool is_last = i + 4 >= rows;
        const struct NAME(lines_of_c) to = {
            .ldc = ldc,
            .all = rows >= 4 && !(adds && is_last),
            .adds = adds,
            .lanes = (HALF_MASK)(rows < 4  ? (1u << rows) - 1
                                 : is_last ? 15u << repeated & 15u
                                           : 15u),
            .beta = (ELEMENT)tile->beta,
        };
        ELEMENT *c = (ELEMENT *)tile->c + i - (is_last ? repeated : 0);
#pragma GCC unroll 2
        for (size_t v = 0; v < row.wide; v++) {
            const NAME(vector) zero = {0};
            const NAME(vector)
                x[4] = {sums->wide[i][v], i + 1 < rows ? sums->wide[i + 1][v] : zero,
                        i + 2 < rows ? sums->wide[i + 2][v] : zero, i + 3 < rows ? sums->wide[i + 3][v] : zero};
            const size_t at = v > 0 && v + 1 == row.wide && !row.half ? last : v * LANES;
            NAME(put_crossed)(c + at * ldc, x, adds ? v * LANES - at : 0, end, &to);
        }
        if (row.half) {
            const NAME(half) zero = {0};
            const NAME(half) x[4] = {sums->half[i], i + 1 < rows ? sums->half[i + 1] : zero,
                                     i + 2 < rows ? sums->half[i + 2] : zero, i + 3 < rows ? sums->half[i + 3] : zero};
            const size_t at = row.wide ? last : 0;
            NAME(put_crossed_half)(c + at * ldc, x, adds ? row.wide * LANES - at : 0, end, &to);
        }
    }
}

/* A tile of C' of at most WIDE_HEIGHT rows: `rows` is m, or the next multiple of four. */
TARGET static ALWAYS void NAME(crossed_tile)(size_t rows, struct NAME(row) row, const struct packed_product *tile)
{
    struct NAME(sums) sums;
    NAME(masked_sums)(&sums, rows, row, rows > 4 ? rows - tile->m : 0, false, tile);
    const ELEMENT alpha = (ELEMENT)tile->alpha;
    if (alpha != 1)
#pragma GCC unroll 16
        for (size_t i = 0; i < rows; i++) {
#pragma GCC unroll 4
            for (size_t v = 0; v < row.wide; v++)
                sums.wide[i][v] *= alpha;
            sums.half[i] *= alpha;
        }
    if (tile->beta == 0)
        NAME(put_tile)(&sums, rows, row, false, tile);
    else
        NAME(put_tile)(&sums, rows, row, true, tile);
}

#define DEFINE_CROSSED(height, form, ...)                                                 \
    TARGET static void NAME(crossed_##height##_##form)(const struct packed_product *tile) \
    {                                                                                     \
        NAME(crossed_tile)(height, (struct NAME(row)){__VA_ARGS__}, tile);                \
    }
#define DEFINE_ALL_CROSSED(height)             \
    DEFINE_CROSSED(height, 0, 0, true, true)   \
    DEFINE_CROSSED(height, 1, 0, true, false)  \
    DEFINE_CROSSED(height, 2, 1, false, true)  \
    DEFINE_CROSSED(height, 3, 1, false, false) \
    DEFINE_CROSSED(height, 4, 1, true, false)  \
    DEFINE_CROSSED(height, 5, 2, false, false)
#define ALL_CROSSED(height)                                                                    \
    {                                                                                          \
        NAME(crossed_##height##_0), NAME(crossed_##height##_1), NAME(crossed_##height##_2),    \
            NAME(crossed_##height##_3), NAME(crossed_##height##_4), NAME(crossed_##height##_5) \
    }
DEFINE_ALL_CROSSED(1)
DEFINE_ALL_CROSSED(2)
DEFINE_ALL_CROSSED(3)
DEFINE_ALL_CROSSED(4)
DEFINE_ALL_CROSSED(8)
DEFINE_ALL_CROSSED(12)

static NAME(any_direct) *const NAME(crossed_tiles)[6][6] = {ALL_CROSSED(1), ALL_CROSSED(2), ALL_CROSSED(3),
                                                            ALL_CROSSED(4), ALL_CROSSED(8), ALL_CROSSED(12)};

/* Changes the product, field by field, as direct_many does. A tile has whole fours of rows but for the last one, which
 * has at least four if there is another. */
static __attribute__((noinline)) void NAME(direct_crossed)(struct packed_product *p)
{
    const size_t rows = p->n, cols = p->m, ldc = p->ldc, step_a = p->b.across, step_b = p->a.across;
    const ELEMENT *a = p->b.data, *b = p->a.data;
    ELEMENT *c = p->c;
    const uint32_t fours = (uint32_t)(rows + 3) / 4, tiles = (fours + 2) / 3;
    p->a.down = step_a;
    p->a.across = 1;
    p->b.down = step_b;
    p->b.across = 1;
    for (size_t left = 0; left < cols; left += p->n) {
        p->n = NAME(direct_width)(cols - left, WIDTH);
        p->b.data = b + left;
        size_t top = 0;
        for (uint32_t index = 0; index < tiles; index++, top += p->m) {
            const uint32_t count = fours / tiles + (index < fours % tiles);
            p->m = NAME(least)((size_t)4 * count, rows - top);
            p->a.data = a + top * step_a;
            p->c = c + left * ldc + top;
            NAME(crossed_tiles)[p->m <= 4 ? p->m - 1 : count + 2][NAME(direct_form)(p->n)](p);
        }
    }
}

/* Whether shorter registers are faster: for dot products of lines that follow one another, and for few columns where B
 * alone would be turned. */
static inline bool NAME(direct_is_narrow)(const struct packed_product *p)
{
    return p->n == 1          ? p->m >= 8 && p->a.across == 1
           : p->b.across == 1 ? false
           : p->m == 1        ? p->k > 3
                              : p->a.across == 1 && p->k >= LANES && (p->m <= 4 || p->n < HALF_LANES);
}

static void NAME(direct)(struct packed_product *p)
{
    if (p->n > 1 && p->b.across == 1) {
        NAME(direct_wide)(p);
        return;
    }
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
#undef PUT
#undef DEFINE_PUT
#undef DEFINE_CROSSED
#undef DEFINE_ALL_CROSSED
#undef ALL_CROSSED
