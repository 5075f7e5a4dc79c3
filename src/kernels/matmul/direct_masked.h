/* Tiles of small products where registers have masks, and half of one may be used alone. Included by direct_tiles.h;
 * packed_<isa>.c defines, for `size` 512 and 256 bits,
 *   OF(size, x)            the intrinsic x of registers of this size
 *   MASK, HALF_MASK        the types of their masks
 *   FIRST_HALF(x)          the first half of a register
 *   REPEATED(size, l)      lanes of x, lane l also behind l: for the intrinsic permutexvar
 *   LOW, HIGH              lanes of two registers in turns, of the first half or of the second
 *   LOW_OF_HALF, HIGH_OF_HALF
 *   STAGES                 the logarithm of the lanes
 *   NARROW_LEVEL           the level that computes dot products of lines that follow one another
 * The last register of a row of C ends with the last column: columns of the one before are computed alike. A row that
 * is shorter than a register, or than half of one, has lanes of its own behind the last column that repeat it: so they
 * raise no exception flag. (Masked multiply-adds would do it, too, at half the rate of others on a Zen 4.) */
#ifndef NAME
#error "define LEVEL and the rest first: packed_tiles.h does"
#endif

#define HEIGHT 16 /* of tiles of a register's width or less: with fewer sums, additions would wait for each other */
#define WIDE_HEIGHT 12 /* of wider ones: two registers of sums a row */
#define FEW 6          /* rows of still wider ones: a tile's end takes longer than what these few rows compute */
#define FEW_WIDTH (4 * LANES)
#define HALF_LANES (LANES / 2)
#define ALWAYS inline __attribute__((always_inline))

typedef ELEMENT NAME(half) __attribute__((vector_size(VECTOR_BYTES / 2)));
typedef ELEMENT NAME(loose_half) __attribute__((vector_size(VECTOR_BYTES / 2), aligned(sizeof(ELEMENT)), may_alias));

#define WHOLE(p) ((NAME(vector)) * (const NAME(loose) *)(const void *)(p))
#define SHORT(p) ((NAME(half)) * (const NAME(loose_half) *)(const void *)(p))
#define BELOW(count) ((MASK)((MASK) ~(MASK)0 >> (LANES - (count))))
#define BELOW_HALF(count) ((HALF_MASK)((1u << (count)) - 1))

/* Registers of a row of C: `wide` whole ones, then perhaps half of one. `partial`: the only one is not full. */
struct NAME(row) {
    size_t wide;
    bool half, partial;
};

/* What a tile has in registers. */
struct NAME(sums) {
    NAME(vector) wide[HEIGHT][4];
    NAME(half) half[HEIGHT];
};

/* Where register v of a row begins, of several: the last one ends with the last column. */
#define PLACE_OF(v) ((v) + 1 < row.wide ? (ptrdiff_t)((v)*LANES) : last)

/* What a step of the depth needs: the addresses of every fourth row of A, and of a row of B. */
struct NAME(masked_step) {
    const ELEMENT *a[4], *b;
    size_t down, across, b_step, cols;
    ptrdiff_t last; /* where a register begins that ends with the last column */
    MASK mask;
    HALF_MASK half_mask;
};

TARGET static ALWAYS void NAME(masked_step)(struct NAME(sums) * sums, size_t rows, struct NAME(row) row,
                                            struct NAME(masked_step) * s)
{
    const ptrdiff_t last = s->last;
    const ELEMENT *b = s->b;
    NAME(vector) right[4] = {0};
    NAME(half) end = {0};
    if (row.wide)
        right[0] = row.partial ? (NAME(vector))OF(512, permutexvar)(REPEATED(512, s->cols - 1),
                                                                    OF(512, maskz_loadu)(s->mask, b))
                               : WHOLE(b);
#pragma GCC unroll 4
    for (size_t v = 1; v < row.wide; v++)
        right[v] = WHOLE(&b[PLACE_OF(v)]);
    if (row.half)
        end = row.partial
                  ? (NAME(half))OF(256, permutexvar)(REPEATED(256, s->cols - 1), OF(256, maskz_loadu)(s->half_mask, b))
                  : SHORT(&b[row.wide ? last : 0]);
#pragma GCC unroll 16
    for (size_t i = 0; i < rows; i++) {
        const NAME(vector) left = (NAME(vector))OF(512, set1)(s->a[i / 4][i % 4 * s->down]);
#pragma GCC unroll 4
        for (size_t v = 0; v < row.wide; v++)
            sums->wide[i][v] = OF(512, fmadd)(left, right[v], sums->wide[i][v]);
        if (row.half)
            sums->half[i] = OF(256, fmadd)(FIRST_HALF(left), end, sums->half[i]);
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        s->a[i] += s->across;
    s->b += s->b_step;
}

/* A tile is a product of at most HEIGHT rows and FEW_WIDTH columns, whose B has rows in memory. `rows` and `row` are
 * constants where this is inlined, so that the sums are registers. The last four rows begin `back` rows sooner than
 * behind the four before them, of which they repeat some. */
TARGET static ALWAYS void NAME(masked_sums)(struct NAME(sums) * sums, size_t rows, struct NAME(row) row, size_t back,
                                            const struct packed_product *tile)
{
    struct NAME(masked_step) step = {
        .a = {tile->a.data},
        .b = tile->b.data,
        .down = tile->a.down,
        .across = tile->a.across,
        .b_step = tile->b.down,
        .cols = tile->n,
        .last = (ptrdiff_t)tile->n - (ptrdiff_t)(row.half ? HALF_LANES : LANES),
        .mask = row.partial && !row.half ? BELOW(tile->n) : (MASK)0,
        .half_mask = row.partial && row.half ? BELOW_HALF(tile->n) : (HALF_MASK)0,
    };
#pragma GCC unroll 4
    for (size_t i = 1; i < 4; i++) { /* of every four rows: one address for all would need 15 registers of distances */
        step.a[i] = step.a[i - 1] + (i == (rows - 1) / 4 ? 4 - back : 4) * step.down;
        __asm__("" : "+r"(step.a[i]));
    }
    __asm__("" : "+k"(step.mask), "+k"(step.half_mask)); /* they stay in mask registers */
#pragma GCC unroll 16
    for (size_t i = 0; i < rows; i++) {
#pragma GCC unroll 4
        for (size_t v = 0; v < 4; v++)
            sums->wide[i][v] = (NAME(vector)){0};
        sums->half[i] = (NAME(half)){0};
    }
    if (rows * (row.wide + row.half) > 8) { /* enough for a turn of a loop */
        for (size_t l = tile->k; l > 0; l--)
            NAME(masked_step)(sums, rows, row, &step);
        return;
    }
    UNROLL(STEPS)
    for (size_t l = tile->k; l > 0; l--)
        NAME(masked_step)(sums, rows, row, &step);
}

/* All of C is read before any of it is written: registers may overlap. */
TARGET static ALWAYS void NAME(masked_tile)(size_t rows, struct NAME(row) row, const struct packed_product *tile)
{
    struct NAME(sums) sums;
    NAME(masked_sums)(&sums, rows, row, 0, tile);
    const ELEMENT alpha = (ELEMENT)tile->alpha, beta = (ELEMENT)tile->beta;
    const size_t cols = tile->n, ldc = tile->ldc;
    const ptrdiff_t last = (ptrdiff_t)cols - (ptrdiff_t)(row.half ? HALF_LANES : LANES), end = row.wide ? last : 0;
    const MASK mask = row.partial && !row.half ? BELOW(cols) : (MASK) ~(MASK)0;
    const HALF_MASK half_mask = row.partial && row.half ? BELOW_HALF(cols) : (HALF_MASK) ~(HALF_MASK)0;
    ELEMENT *c = tile->c;
    if (alpha != 1)
#pragma GCC unroll 16
        for (size_t i = 0; i < rows; i++) {
#pragma GCC unroll 4
            for (size_t v = 0; v < row.wide; v++)
                sums.wide[i][v] *= alpha;
            sums.half[i] *= alpha;
        }
    if (beta != 0)
#pragma GCC unroll 16
        for (size_t i = 0; i < rows; i++) {
            if (row.wide)
                sums.wide[i][0] += beta * (NAME(vector))OF(512, maskz_loadu)(mask, &c[i * ldc]);
#pragma GCC unroll 4
            for (size_t v = 1; v < row.wide; v++)
                sums.wide[i][v] += beta * WHOLE(&(c + i * ldc)[PLACE_OF(v)]);
            if (row.half)
                sums.half[i] += beta * (NAME(half))OF(256, maskz_loadu)(half_mask, &(c + i * ldc)[end]);
        }
#pragma GCC unroll 16
    for (size_t i = 0; i < rows; i++, c += ldc) {
        if (row.wide)
            OF(512, mask_storeu)(c, mask, sums.wide[i][0]);
#pragma GCC unroll 4
        for (size_t v = 1; v < row.wide; v++)
            OF(512, storeu)(&c[PLACE_OF(v)], sums.wide[i][v]);
        if (row.half)
            OF(256, mask_storeu)(&c[end], half_mask, sums.half[i]);
    }
}

typedef void NAME(any_direct)(const struct packed_product *);

#define DEFINE_FORM(height, form, ...)                                                   \
    TARGET static void NAME(masked_##height##_##form)(const struct packed_product *tile) \
    {                                                                                    \
        NAME(masked_tile)(height, (struct NAME(row)){__VA_ARGS__}, tile);                \
    }
#define DEFINE_NARROW(height)              \
    DEFINE_FORM(height, 0, 0, true, true)  \
    DEFINE_FORM(height, 1, 0, true, false) \
    DEFINE_FORM(height, 2, 1, false, true) \
    DEFINE_FORM(height, 3, 1, false, false)
#define DEFINE_WIDE(height)                \
    DEFINE_FORM(height, 4, 1, true, false) \
    DEFINE_FORM(height, 5, 2, false, false)
#define DEFINE_WIDEST(height)               \
    DEFINE_FORM(height, 6, 3, false, false) \
    DEFINE_FORM(height, 7, 4, false, false)
#define NARROW(height) \
    NAME(masked_##height##_0), NAME(masked_##height##_1), NAME(masked_##height##_2), NAME(masked_##height##_3)
#define WIDE(height) NARROW(height), NAME(masked_##height##_4), NAME(masked_##height##_5)
#define WIDEST(height) WIDE(height), NAME(masked_##height##_6), NAME(masked_##height##_7)
#define TO_6(WORK) WORK(1) WORK(2) WORK(3) WORK(4) WORK(5) WORK(6)
#define TO_12(WORK) TO_6(WORK) WORK(7) WORK(8) WORK(9) WORK(10) WORK(11) WORK(12)
TO_12(DEFINE_NARROW)
TO_12(DEFINE_WIDE)
TO_6(DEFINE_WIDEST)
DEFINE_NARROW(13)
DEFINE_NARROW(14)
DEFINE_NARROW(15)
DEFINE_NARROW(16)

static NAME(any_direct) *const NAME(direct_tiles)[HEIGHT][8] = {
    {WIDEST(1)}, {WIDEST(2)}, {WIDEST(3)}, {WIDEST(4)}, {WIDEST(5)},  {WIDEST(6)},  {WIDE(7)},    {WIDE(8)},
    {WIDE(9)},   {WIDE(10)},  {WIDE(11)},  {WIDE(12)},  {NARROW(13)}, {NARROW(14)}, {NARROW(15)}, {NARROW(16)}};

/* By columns, at most FEW_WIDTH. */
static ALWAYS size_t NAME(direct_form)(size_t cols)
{
    return cols <= HALF_LANES ? cols == HALF_LANES
           : cols > WIDTH     ? 6 + (cols > 3 * LANES)
                              : 2 + (cols >= LANES) + (cols > LANES) + (cols > LANES + HALF_LANES);
}

/* The most columns of a tile of so many rows. */
static ALWAYS size_t NAME(direct_most)(size_t rows)
{
    return rows <= FEW ? FEW_WIDTH : WIDTH;
}

/* The most rows of a tile. */
static ALWAYS uint32_t NAME(direct_height)(size_t form)
{
    return form < 4 ? HEIGHT : form < 6 ? WIDE_HEIGHT : FEW;
}

/* ---- turned matrices -------------------------------------------------------------------------------------------- */

/* A square of registers is turned: each stage rotates the bits of an element's place, its row's before its column's. */
#define DEFINE_SQUARE(square, type, lanes, stages, low, high)   \
    TARGET static ALWAYS void NAME(square)(NAME(type) x[lanes]) \
    {                                                           \
        PRAGMA(GCC unroll 4)                                    \
        for (size_t stage = 0; stage < (stages); stage++) {     \
            NAME(type) y[lanes];                                \
            PRAGMA(GCC unroll 8)                                \
            for (size_t i = 0; i < (lanes) / 2; i++) {          \
                y[2 * i] = low(x[i], x[i + (lanes) / 2]);       \
                y[2 * i + 1] = high(x[i], x[i + (lanes) / 2]);  \
            }                                                   \
            PRAGMA(GCC unroll 16)                               \
            for (size_t i = 0; i < (lanes); i++)                \
                x[i] = y[i];                                    \
        }                                                       \
    }
DEFINE_SQUARE(square, vector, LANES, STAGES, LOW, HIGH)
DEFINE_SQUARE(small_square, half, HALF_LANES, STAGES - 1, LOW_OF_HALF, HIGH_OF_HALF)

/* to[j * to_step + i] = from[i * from_step + j] for `rows` rows i and `cols` columns j, as many as there are lanes at
 * most; of fewer rows the last one is read again. `whole`: all rows and columns can be read. */
#define DEFINE_TURN(turn, square, type, size, lanes, mask_type, below)                                           \
    TARGET static ALWAYS void NAME(turn)(ELEMENT * to, size_t to_step, const ELEMENT *from, size_t from_step,    \
                                         size_t rows, size_t cols, bool whole)                                   \
    {                                                                                                            \
        const mask_type of_rows = below(rows), of_cols = below(cols);                                            \
        NAME(type) x[lanes];                                                                                     \
        PRAGMA(GCC unroll 16)                                                                                    \
        for (size_t i = 0; i < (lanes); i++) {                                                                   \
            x[i] = whole ? (NAME(type))OF(size, loadu)(from) : (NAME(type))OF(size, maskz_loadu)(of_cols, from); \
            from += whole || i + 1 < rows ? from_step : 0;                                                       \
        }                                                                                                        \
        NAME(square)(x);                                                                                         \
        PRAGMA(GCC unroll 16)                                                                                    \
        for (size_t j = 0; j < (lanes); j++, to += to_step) {                                                    \
            if (j >= cols)                                                                                       \
                return;                                                                                          \
            OF(size, mask_storeu)(to, of_rows, x[j]);                                                            \
        }                                                                                                        \
    }
DEFINE_TURN(turn_square, square, vector, 512, LANES, MASK, BELOW)
DEFINE_TURN(turn_small, small_square, half, 256, HALF_LANES, HALF_MASK, BELOW_HALF)

static inline size_t NAME(least)(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Packs columns of B, which lie along the depth. */
TARGET static __attribute__((noinline)) void NAME(direct_panel)(ELEMENT *panel, struct packed_view b, size_t depth,
                                                                size_t cols)
{
    const ELEMENT *from = b.data;
    if (cols <= HALF_LANES && depth <= HALF_LANES) {
        NAME(turn_small)(panel, WIDTH, from, b.across, cols, depth, false);
        return;
    }
    for (size_t j = 0; j < cols; j += LANES)
        for (size_t l = 0; l < depth; l += LANES)
            if (cols - j >= LANES && depth - l >= LANES)
                NAME(turn_square)
    (&panel[l * WIDTH + j], WIDTH, &from[j * b.across + l], b.across, LANES, LANES, true);
    else NAME(turn_square)(&panel[l * WIDTH + j], WIDTH, &from[j * b.across + l], b.across,
                           NAME(least)(cols - j, LANES), NAME(least)(depth - l, LANES), false);
}

/* Whether the tiles read B as it lies. */
static ALWAYS bool NAME(direct_is_ready)(const struct packed_product *p, size_t cols)
{
    (void)cols;
    return p->b.across == 1 || p->k == 0;
}

#undef WHOLE
#undef SHORT
#undef BELOW
#undef BELOW_HALF
#undef DEFINE_FORM
#undef DEFINE_NARROW
#undef DEFINE_WIDE
#undef DEFINE_WIDEST
#undef NARROW
#undef WIDE
#undef WIDEST
#undef TO_6
#undef TO_12
#undef PLACE_OF
#undef FEW
#undef FEW_WIDTH
#undef DEFINE_SQUARE
#undef DEFINE_TURN
