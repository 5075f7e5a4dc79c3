/* Tiles of small products where registers have masks, and half of one may be used alone. Included by direct_tiles.h;
 * packed_<isa>.c defines, for `size` 512 and 256 bits,
 *   OF(size, x)            the intrinsic x of registers of this size
 *   MASK, HALF_MASK        the types of their masks
 *   FIRST_HALF(x)          the first half of a register
 *   REPEATED(size, l)      lanes of x, lane l also behind l: for the intrinsic permutexvar
 *   QUARTERS_size(ROW)     a register of 16 bytes each of ROW(0), ROW(1) …
 *   TURN_QUARTERS(size, type, y, x)   the columns of x's rows, in each 16 bytes alike
 *   LOAD_LINE              the instruction that loads elements by a mask
 *   NARROW_LEVEL           the level that computes dot products of lines that follow one another
 * The last register of a row of C ends with the last column: columns of the one before are computed alike. A row that
 * is shorter than a register, or than half of one, has lanes of its own behind the last column that repeat it: so they
 * raise no exception flag. (Masked multiply-adds would do it, too, at half the rate of others on a Zen 4.) */
#ifndef NAME
#error "define LEVEL and the rest first: packed_tiles.h does"
#endif

#define HEIGHT 16 /* of tiles of a register's width or less: with fewer sums, additions would wait for each other */
#define WIDE_HEIGHT 12 /* of wider ones: two registers of sums a row */
#define THREE_HEIGHT 8 /* of three: a product with as many columns needs fewer tiles */
#define FEW 6          /* rows of still wider ones: a tile's end takes longer than what these few rows compute */
#define FEW_WIDTH (4 * LANES)
#define FAR_ROWS 16 /* of B, to prefetch */
#define HALF_LANES (LANES / 2)
#define ALWAYS inline __attribute__((always_inline))

typedef ELEMENT NAME(half) __attribute__((vector_size(VECTOR_BYTES / 2)));
typedef ELEMENT NAME(loose_half) __attribute__((vector_size(VECTOR_BYTES / 2), aligned(sizeof(ELEMENT)), may_alias));

#define WHOLE(p) ((NAME(vector)) * (const NAME(loose) *)(const void *)(p))
#define SHORT(p) ((NAME(half)) * (const NAME(loose_half) *)(const void *)(p))
/* The intrinsic's mask would be moved to its register in every step. */
#define LOAD_LANES(x, mask, p) \
    __asm__(LOAD_LINE " %1, %0%{%2%}%{z%}" : "=v"(x) : "m"(*(const __typeof__(x) *)(const void *)(p)), "Yk"(mask))
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
    bool far;       /* B is not in the first-level cache, and its rows are too far apart for the prefetcher */
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
    if (row.wide && !row.partial)
        right[0] = WHOLE(b);
    else if (row.wide) {
        LOAD_LANES(right[0], s->mask, b);
        right[0] = (NAME(vector))OF(512, permutexvar)(REPEATED(512, s->cols - 1), right[0]);
    }
#pragma GCC unroll 4
    for (size_t v = 1; v < row.wide; v++)
        right[v] = WHOLE(&b[PLACE_OF(v)]);
    if (row.half && !row.partial)
        end = SHORT(&b[row.wide ? last : 0]);
    else if (row.half) {
        LOAD_LANES(end, s->half_mask, b);
        end = (NAME(half))OF(256, permutexvar)(REPEATED(256, s->cols - 1), end);
    }
#pragma GCC unroll 16
    for (size_t i = 0; i < rows; i++) {
        const NAME(vector) left = (NAME(vector))OF(512, set1)(s->a[i / 4][i % 4 * s->down]);
#pragma GCC unroll 4
        for (size_t v = 0; v < row.wide; v++)
            sums->wide[i][v] = OF(512, fmadd)(left, right[v], sums->wide[i][v]);
        if (row.half)
            sums->half[i] = OF(256, fmadd)(FIRST_HALF(left), end, sums->half[i]);
    }
    if (s->far) {
#pragma GCC unroll 4
        for (size_t v = 0; v < row.wide; v++)
            __builtin_prefetch(&b[FAR_ROWS * s->b_step + v * LANES]);
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
                                            bool far, const struct packed_product *tile)
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
        .far = far,
    };
#pragma GCC unroll 4
    for (size_t i = 1; i < 4; i++) /* of every four rows: one address for all would need 15 registers of distances */
        if (4 * i < rows) {
            step.a[i] = step.a[i - 1] + (i == (rows - 1) / 4 ? 4 - back : 4) * step.down;
            __asm__("" : "+r"(step.a[i]));
        }
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
TARGET static ALWAYS void NAME(masked_tile)(size_t rows, struct NAME(row) row, bool far,
                                            const struct packed_product *tile)
{
    struct NAME(sums) sums;
    NAME(masked_sums)(&sums, rows, row, 0, far, tile);
    const ELEMENT alpha = (ELEMENT)tile->alpha, beta = (ELEMENT)tile->beta;
    const size_t cols = tile->n, ldc = tile->ldc;
    const ptrdiff_t last = (ptrdiff_t)cols - (ptrdiff_t)(row.half ? HALF_LANES : LANES), end = row.wide ? last : 0;
    const MASK mask = row.partial && !row.half ? BELOW(cols) : (MASK) ~(MASK)0;
    const HALF_MASK half_mask = row.partial && row.half ? BELOW_HALF(cols) : (HALF_MASK) ~(HALF_MASK)0;
    ELEMENT *c = tile->c, *lines[4]; /* of every four rows */
    if (alpha != 1)
#pragma GCC unroll 16
        for (size_t i = 0; i < rows; i++) {
#pragma GCC unroll 4
            for (size_t v = 0; v < row.wide; v++)
                sums.wide[i][v] *= alpha;
            sums.half[i] *= alpha;
        }
    if (beta != 0) {
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
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        if (4 * i < rows) {
            lines[i] = i == 0 ? c : lines[i - 1] + 4 * ldc;
            __asm__("" : "+r"(lines[i]));
        }
#pragma GCC unroll 16
    for (size_t i = 0; i < rows; i++) {
        ELEMENT *line = lines[i / 4] + i % 4 * ldc;
        if (row.wide)
            OF(512, mask_storeu)(line, mask, sums.wide[i][0]);
#pragma GCC unroll 4
        for (size_t v = 1; v < row.wide; v++)
            OF(512, storeu)(&line[PLACE_OF(v)], sums.wide[i][v]);
        if (row.half)
            OF(256, mask_storeu)(&line[end], half_mask, sums.half[i]);
    }
}

typedef void NAME(any_direct)(const struct packed_product *);

#define DEFINE_FORM(height, form, far, ...)                                              \
    TARGET static void NAME(masked_##height##_##form)(const struct packed_product *tile) \
    {                                                                                    \
        NAME(masked_tile)(height, (struct NAME(row)){__VA_ARGS__}, far, tile);           \
    }
#define DEFINE_NARROW(height)                     \
    DEFINE_FORM(height, 0, false, 0, true, true)  \
    DEFINE_FORM(height, 1, false, 0, true, false) \
    DEFINE_FORM(height, 2, false, 1, false, true) \
    DEFINE_FORM(height, 3, false, 1, false, false)
#define DEFINE_WIDE(height)                       \
    DEFINE_FORM(height, 4, false, 1, true, false) \
    DEFINE_FORM(height, 5, false, 2, false, false)
#define DEFINE_THREE(height) DEFINE_FORM(height, 6, false, 3, false, false)
#define DEFINE_FAR(height) DEFINE_FORM(height, far, true, 3, false, false)
#define DEFINE_WIDEST(height) DEFINE_FORM(height, 7, false, 4, false, false)
#define NARROW(height) \
    NAME(masked_##height##_0), NAME(masked_##height##_1), NAME(masked_##height##_2), NAME(masked_##height##_3)
#define WIDE(height) NARROW(height), NAME(masked_##height##_4), NAME(masked_##height##_5)
#define THREE(height) WIDE(height), NAME(masked_##height##_6)
#define WIDEST(height) THREE(height), NAME(masked_##height##_7)
#define TO_6(WORK) WORK(1) WORK(2) WORK(3) WORK(4) WORK(5) WORK(6)
#define TO_8(WORK) TO_6(WORK) WORK(7) WORK(8)
#define TO_12(WORK) TO_8(WORK) WORK(9) WORK(10) WORK(11) WORK(12)
TO_12(DEFINE_NARROW)
TO_12(DEFINE_WIDE)
TO_8(DEFINE_THREE)
TO_6(DEFINE_WIDEST)
TO_8(DEFINE_FAR)
DEFINE_NARROW(13)
DEFINE_NARROW(14)
DEFINE_NARROW(15)
DEFINE_NARROW(16)

static NAME(any_direct) *const NAME(direct_tiles)[HEIGHT][8] = {
    {WIDEST(1)}, {WIDEST(2)}, {WIDEST(3)}, {WIDEST(4)}, {WIDEST(5)},  {WIDEST(6)},  {THREE(7)},   {THREE(8)},
    {WIDE(9)},   {WIDE(10)},  {WIDE(11)},  {WIDE(12)},  {NARROW(13)}, {NARROW(14)}, {NARROW(15)}, {NARROW(16)}};

/* Of three registers a row, whose B is far. */
#define FAR(height) NAME(masked_##height##_far),
static NAME(any_direct) *const NAME(far_tiles)[THREE_HEIGHT] = {TO_8(FAR)};

/* By columns; the last one is of those that are too many for a tile. */
static const uint8_t NAME(forms)[PACKED_DIRECT_MOST + 1] = {
    [HALF_LANES] = 1,
    [HALF_LANES + 1 ... LANES - 1] = 2,
    [LANES] = 3,
    [LANES + 1 ... LANES + HALF_LANES] = 4,
    [LANES + HALF_LANES + 1 ... WIDTH] = 5,
    [WIDTH + 1 ... 3 * LANES] = 6,
    [3 * LANES + 1 ... FEW_WIDTH] = 7,
    [FEW_WIDTH + 1 ... PACKED_DIRECT_MOST] = 8,
};

/* The most rows of a tile, by its form. */
static const uint8_t NAME(heights_most)[] = {HEIGHT,      HEIGHT,       HEIGHT, HEIGHT, WIDE_HEIGHT,
                                             WIDE_HEIGHT, THREE_HEIGHT, FEW,    0};

static ALWAYS size_t NAME(direct_form)(size_t cols)
{
    return NAME(forms)[cols];
}

static ALWAYS uint32_t NAME(direct_height)(size_t form)
{
    return NAME(heights_most)[form];
}

static ALWAYS NAME(any_direct) * NAME(direct_tile)(size_t rows, size_t form, bool far)
{
    return far && form == 6 ? NAME(far_tiles)[rows - 1] : NAME(direct_tiles)[rows - 1][form];
}

/* The most columns of a tile, of a product of so many rows and columns: A is read again for each tile beside another,
 * and comes from the second-level cache where it is large. */
static ALWAYS size_t NAME(direct_most)(size_t rows, size_t cols, bool far)
{
    const size_t registers = (cols + LANES - 1) / LANES, beside = (registers + 3) / 4;
    return far ? 3 * LANES : rows <= FEW ? FEW_WIDTH : (registers + beside - 1) / beside * LANES;
}

/* ---- turned matrices -------------------------------------------------------------------------------------------- */

/* Rows of which each register has a quarter: 16 bytes from memory, which takes no shuffle. */
#define QUARTER (16 / sizeof(ELEMENT))

static inline size_t NAME(least)(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* `count` elements of a row, at most QUARTER. */
TARGET static ALWAYS __m128 NAME(quarter)(const ELEMENT *from, size_t count)
{
    return count == QUARTER
               ? _mm_loadu_ps((const float *)from)
               : _mm_maskz_loadu_ps((__mmask8)((1u << (count * sizeof(ELEMENT) / 4)) - 1), (const float *)from);
}

/* to[l * WIDTH + i] = from[i * step + l] for `rows` rows i and `cols` columns l, at most QUARTER; behind the last row
 * it is repeated. `whole`: there are as many rows as lanes. */
#define ROW(q) NAME(quarter)(&from[whole ? ((q)*QUARTER + i) * step : places[(q)*QUARTER + i]], cols)
#define DEFINE_TURN(turn, type, size)                                                                          \
    TARGET static ALWAYS void NAME(turn)(ELEMENT * to, const ELEMENT *from, size_t step, const size_t *places, \
                                         size_t cols, bool whole)                                              \
    {                                                                                                          \
        NAME(type) x[QUARTER], y[QUARTER];                                                                     \
        PRAGMA(GCC unroll 4)                                                                                   \
        for (size_t i = 0; i < QUARTER; i++)                                                                   \
            x[i] = (NAME(type))QUARTERS_##size(ROW);                                                           \
        TURN_QUARTERS(size, type, y, x);                                                                       \
        PRAGMA(GCC unroll 4)                                                                                   \
        for (size_t l = 0; l < QUARTER; l++)                                                                   \
            if (l < cols)                                                                                      \
                OF(size, storeu)(&to[l * WIDTH], y[l]);                                                        \
    }
DEFINE_TURN(turn_whole, vector, 512)
DEFINE_TURN(turn_half, half, 256)

/* Packs columns of B, which lie along the depth; at most as many as a register has, or as half of one. */
TARGET static ALWAYS void NAME(turn_columns)(ELEMENT *panel, struct packed_view b, size_t depth, size_t cols,
                                             bool whole, bool half)
{
    void (*const turn)(ELEMENT *, const ELEMENT *, size_t, const size_t *, size_t, bool) =
        half ? NAME(turn_half) : NAME(turn_whole);
    const ELEMENT *from = b.data;
    size_t places[LANES], l = 0;
    for (size_t i = 0; i < LANES && !whole; i++)
        places[i] = NAME(least)(i, cols - 1) * b.across;
    for (; l + QUARTER <= depth; l += QUARTER, panel += QUARTER * WIDTH)
        turn(panel, &from[l], b.across, places, QUARTER, whole);
    if (l < depth)
        turn(panel, &from[l], b.across, places, depth - l, whole);
}

TARGET static __attribute__((noinline)) void NAME(direct_panel)(ELEMENT *panel, struct packed_view b, size_t depth,
                                                                size_t cols)
{
    for (; cols >= LANES; cols -= LANES, panel += LANES) {
        NAME(turn_columns)(panel, b, depth, LANES, true, false);
        b.data = (const ELEMENT *)b.data + LANES * b.across;
    }
    if (cols > HALF_LANES)
        NAME(turn_columns)(panel, b, depth, cols, false, false);
    else if (cols > 0)
        NAME(turn_columns)(panel, b, depth, cols, false, true);
}

/* Whether the tiles read B as it lies. */
static ALWAYS bool NAME(direct_is_ready)(const struct packed_product *p, size_t cols)
{
    (void)cols;
    return p->b.across == 1 || p->k == 0;
}

#undef WHOLE
#undef SHORT
#undef LOAD_LANES
#undef BELOW
#undef BELOW_HALF
#undef DEFINE_FORM
#undef DEFINE_NARROW
#undef DEFINE_WIDE
#undef DEFINE_THREE
#undef DEFINE_WIDEST
#undef DEFINE_FAR
#undef FAR
#undef FAR_ROWS
#undef NARROW
#undef WIDE
#undef THREE
#undef WIDEST
#undef TO_6
#undef TO_8
#undef TO_12
#undef PLACE_OF
#undef THREE_HEIGHT
#undef FEW
#undef FEW_WIDTH
#undef QUARTER
#undef ROW
#undef DEFINE_TURN
