/* A piece is made in strips of rows, one after another towards larger y, each from the first plane to the last.
 *
 * Along z all steps advance together, a pair of planes at a time, each step two planes behind the one before. Of each
 * step but the last a ring of three pairs is kept: the pair that is worked on needs the ones below and above. Step 0 is
 * the input, copied: in the ring its rows lie where they collide with nothing.
 *
 * Along y a strip of step s begins two rows before that of step s - 1, so that its last row needs nothing that the
 * strip has not got. Its first rows need the last four rows that the strip before made of the step before: that is the
 * seam, which is kept for all planes. The ring's columns begin with it. So nothing is computed twice between strips,
 * and strips are narrow enough for the rings of all steps to fit the second-level cache. */
#include "kernels/wave/fused_piece.h"

#include <stdint.h>
#include <string.h>

#include "base/size.h"

#define RING_PAIRS 3
#define SEAM ((size_t)2 * WAVE_REACH)
#define SEAMS_AHEAD 4  /* a seam is fetched so many columns ahead */
#define LINE_FLOATS 16 /* of a cache line */

struct walk {
    const struct wave_pass *pass;
    const struct wave_piece *piece;
    size_t length, columns, column, pair, seam; /* columns; floats of a cell, a column, a pair, a column's seam */
    size_t seam_pairs;
    float *rings, *seams, *staged_before, *staged_next;
    size_t offset; /* rows of the strips before */
    ptrdiff_t y;   /* the first row of step 0 in this strip */
};

/* ---- where things are ---- */

static struct walk walk_of(const struct wave_pass *pass, const struct wave_piece *piece, size_t planes)
{
    size_t length = pass->vectors->length, columns = (pass->grid.nx + length - 1) / length;
    size_t row = MARCH_PLANES * length;
    return (struct walk){
        .pass = pass,
        .piece = piece,
        .length = length,
        .columns = columns,
        .column = (pass->rows + SEAM) * row,
        .pair = (columns + 2) * (pass->rows + SEAM) * row,
        .seam = SEAM * row,
        .seam_pairs = (planes + 1) / 2 + 2 * pass->steps,
    };
}

size_t wave_piece_floats(const struct wave_pass *pass, size_t planes)
{
    struct walk walk = walk_of(pass, NULL, planes);
    size_t staged = 2 * pass->rows * MARCH_PLANES * walk.length, seams, rings, all;
    if (!size_multiply(pass->steps * walk.seam_pairs * walk.columns, walk.seam, &seams) ||
        !size_multiply(pass->steps * RING_PAIRS, walk.pair, &rings) || !size_add(rings, seams, &all) ||
        !size_add(all, staged, &all))
        return SIZE_MAX;
    return all;
}

static float *column_at(const struct walk *walk, size_t step, size_t pair, size_t column)
{
    return walk->rings + (step * RING_PAIRS + pair % RING_PAIRS) * walk->pair + (column + 1) * walk->column;
}

/* The first plane of a pair. */
static ptrdiff_t plane_of(const struct walk *walk, size_t pair)
{
    return (ptrdiff_t)(walk->piece->z0 + MARCH_PLANES * pair) - (ptrdiff_t)(WAVE_REACH * walk->pass->steps);
}

/* Pairs `step` … end - 1 of a step are needed. */
static size_t pairs_end(const struct walk *walk, size_t step)
{
    return walk->seam_pairs - step;
}

static const float *field_row(const struct walk *walk, const float *field, ptrdiff_t y, ptrdiff_t z)
{
    const struct wave_grid *grid = &walk->pass->grid;
    return field + (wave_wrap(z, grid->nz) * grid->ny + wave_wrap(y, grid->ny)) * grid->nx;
}

/* Rows of a step in this strip, counted from the strip's first: those that are needed, and in one piece in a field. */
struct rows {
    size_t from, to;
};

static struct rows rows_needed(const struct walk *walk, size_t step)
{
    size_t skipped = SEAM * step, all = walk->piece->y1 - walk->piece->y0 + SEAM * walk->pass->steps;
    size_t left = all - walk->offset, rows = walk->pass->rows;
    return (struct rows){skipped > walk->offset ? skipped - walk->offset : 0, left < rows ? left : rows};
}

static ptrdiff_t row_of(const struct walk *walk, size_t step, size_t row)
{
    return walk->y + (ptrdiff_t)row - (ptrdiff_t)(WAVE_REACH * step);
}

static struct rows rows_unbroken(const struct walk *walk, size_t step, struct rows needed)
{
    size_t ny = walk->pass->grid.ny, until_end = ny - wave_wrap(row_of(walk, step, needed.from), ny);
    if (needed.to > needed.from + until_end)
        needed.to = needed.from + until_end;
    return needed;
}

/* ---- the edges of what a ring holds ---- */

/* The column begins with the rows that the strip before left, and leaves its own last rows to the next. */
static void swap_seam(const struct walk *walk, size_t step, size_t pair, size_t column)
{
    float *cells = column_at(walk, step, pair, column);
    float *seam = walk->seams + ((step * walk->seam_pairs + pair) * walk->columns + column) * walk->seam;
    memcpy(cells, seam, walk->seam * sizeof *seam);
    memcpy(seam, cells + walk->column - walk->seam, walk->seam * sizeof *seam);
    for (size_t ahead = SEAMS_AHEAD * walk->seam; ahead < (SEAMS_AHEAD + 1) * walk->seam; ahead += LINE_FLOATS)
        __builtin_prefetch(seam + ahead);
}

/* Two points before a pair's lines are their last ones, two behind them their first. */
static void close_lines(const struct walk *walk, size_t step, size_t pair)
{
    ptrdiff_t nx = (ptrdiff_t)walk->pass->grid.nx, length = (ptrdiff_t)walk->length;
    const ptrdiff_t ends[] = {-2, -1, nx, nx + 1};
    float *columns = column_at(walk, step, pair, 0) - walk->column;
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        size_t to = (size_t)(ends[i] + length), from = wave_wrap(ends[i], (size_t)nx) + walk->length;
        float *target = columns + to / walk->length * walk->column + to % walk->length;
        const float *source = columns + from / walk->length * walk->column + from % walk->length;
        for (size_t cell = 0; cell < walk->column; cell += walk->length)
            target[cell] = source[cell];
    }
}

/* ---- steps ---- */

/* Step 0: a pair of the input. */
static void copy_pair(const struct walk *walk, size_t pair)
{
    size_t nx = walk->pass->grid.nx, length = walk->length, whole = nx / length, rest = nx % length;
    struct rows rows = rows_needed(walk, 0);
    float *columns = column_at(walk, 0, pair, 0);
    for (size_t plane = 0; plane < MARCH_PLANES; plane++)
        for (size_t row = rows.from; row < rows.to; row++) {
            const float *from =
                field_row(walk, walk->pass->here, row_of(walk, 0, row), plane_of(walk, pair) + (ptrdiff_t)plane);
            float *to = columns + ((SEAM + row) * MARCH_PLANES + plane) * length;
            walk->pass->vectors->spread(from, whole, to, walk->column);
            if (rest > 0) {
                memset(to + whole * walk->column, 0, length * sizeof *to);
                memcpy(to + whole * walk->column, from + whole * length, rest * sizeof *to);
            }
        }
    for (size_t column = 0; column < walk->columns; column++)
        swap_seam(walk, 0, pair, column);
    close_lines(walk, 0, pair);
}

/* Points of a column that are in a field, and planes of a pair of the last two steps. */
static size_t points_of(const struct walk *walk, size_t column)
{
    size_t left = walk->pass->grid.nx - column * walk->length;
    return left < walk->length ? left : walk->length;
}

static size_t planes_of(const struct walk *walk, size_t pair)
{
    ptrdiff_t left = (ptrdiff_t)walk->piece->z1 - plane_of(walk, pair);
    return left < MARCH_PLANES ? (size_t)left : MARCH_PLANES;
}

/* Copies a column between a field and cells, of which each row's first is at cells + row · 2 · length. */
static void move_column(const struct walk *walk, float *field, bool to_field, float *cells, size_t step, size_t pair,
                        size_t column, struct rows rows)
{
    size_t bytes = points_of(walk, column) * sizeof *cells, planes = to_field ? planes_of(walk, pair) : MARCH_PLANES;
    for (size_t row = rows.from; row < rows.to; row++)
        for (size_t plane = 0; plane < planes; plane++) {
            ptrdiff_t y = row_of(walk, step, row), z = plane_of(walk, pair) + (ptrdiff_t)plane;
            float *points = (float *)field_row(walk, field, y, z) + column * walk->length;
            float *cell = cells + (row * MARCH_PLANES + plane) * walk->length;
            memcpy(to_field ? points : cell, to_field ? cell : points, bytes);
        }
}

/* What the next round will read comes into the cache meanwhile: two planes of `here` and two of `before`, shared among
 * the steps of this round. */
static void set_fetch(const struct walk *walk, struct wave_march *march, size_t step, size_t round)
{
    const struct wave_pass *pass = walk->pass;
    size_t from = MARCH_FETCHES * (step - 1) / pass->steps, to = MARCH_FETCHES * step / pass->steps;
    march->fetches = to - from;
    for (size_t i = from; i < to; i++) {
        bool is_here = i < MARCH_PLANES;
        ptrdiff_t z = plane_of(walk, round + is_here) + (ptrdiff_t)(i % MARCH_PLANES);
        march->fetch[i - from] =
            (const char *)field_row(walk, is_here ? pass->here : pass->before, row_of(walk, !is_here, 0), z);
    }
}

/* The march of a step's first column. */
static struct wave_march first_march(const struct walk *walk, size_t step, size_t pair, struct rows rows)
{
    const struct wave_pass *pass = walk->pass;
    size_t row = MARCH_PLANES * walk->length, skip = rows.from * row;
    ptrdiff_t y = row_of(walk, step, rows.from), z = plane_of(walk, pair);
    const float *here = column_at(walk, step - 1, pair, 0) + skip;
    struct wave_march march = {
        .below = column_at(walk, step - 1, pair - 1, 0) + skip,
        .left = here - walk->column,
        .here = here,
        .right = here + walk->column,
        .above = column_at(walk, step - 1, pair + 1, 0) + skip,
        .before_stride = step == 1 ? pass->grid.nx : row,
        .next_stride = step == pass->steps ? pass->grid.nx : row,
        .rows = rows.to - rows.from,
    };
    for (size_t plane = 0; plane < MARCH_PLANES; plane++) {
        march.before[plane] = step == 1 ? field_row(walk, pass->before, y, z + (ptrdiff_t)plane)
                                        : column_at(walk, step - 2, pair, 0) + skip + plane * walk->length;
        march.next[plane] = step == pass->steps
                                ? (float *)field_row(walk, pass->last, y, z + (ptrdiff_t)plane)
                                : column_at(walk, step, pair, 0) + SEAM * row + skip + plane * walk->length;
    }
    march.stream = step == pass->steps && walk->length * sizeof(float) == 64 && pass->grid.nx % walk->length == 0 &&
                   (uintptr_t)pass->last % 64 == 0;
    return march;
}

/* The same for the column that follows. */
static void advance(const struct walk *walk, struct wave_march *march, size_t step)
{
    size_t before = step == 1 ? walk->length : walk->column;
    size_t next = step == walk->pass->steps ? walk->length : walk->column;
    march->below += walk->column;
    march->left += walk->column;
    march->here += walk->column;
    march->right += walk->column;
    march->above += walk->column;
    for (size_t plane = 0; plane < MARCH_PLANES; plane++) {
        march->before[plane] += before;
        march->next[plane] += next;
    }
    for (size_t i = 0; i < march->fetches; i++)
        march->fetch[i] += walk->pass->rows * walk->length * sizeof(float);
}

/* A column that a field does not hold as cells do: the last of a line that no vector divides, or a plane beyond the
 * piece. */
static void march_staged(const struct walk *walk, struct wave_march march, size_t step, size_t pair, size_t column,
                         struct rows rows)
{
    const struct wave_pass *pass = walk->pass;
    size_t row = MARCH_PLANES * walk->length;
    if (step == 1) {
        memset(walk->staged_before, 0, pass->rows * row * sizeof *walk->staged_before);
        move_column(walk, (float *)pass->before, false, walk->staged_before, step, pair, column, rows);
        march.before_stride = row;
    }
    march.next_stride = row;
    march.stream = false;
    for (size_t plane = 0; plane < MARCH_PLANES; plane++) {
        size_t at = rows.from * row + plane * walk->length;
        if (step == 1)
            march.before[plane] = walk->staged_before + at;
        if (step == pass->steps)
            march.next[plane] = walk->staged_next + at;
    }
    pass->vectors->march(&march, &pass->weights);
    if (step == pass->steps)
        move_column(walk, pass->last, true, walk->staged_next, step, pair, column, rows);
}

static void make_columns(const struct walk *walk, size_t step, size_t pair, struct rows rows, bool is_end)
{
    const struct wave_pass *pass = walk->pass;
    bool is_last = step == pass->steps, beyond = is_last && planes_of(walk, pair) < MARCH_PLANES;
    struct wave_march march = first_march(walk, step, pair, rows);
    set_fetch(walk, &march, step, pair + step);
    for (size_t column = 0; column < walk->columns; column++) {
        bool whole = points_of(walk, column) == walk->length;
        if (beyond || (!whole && (is_last || step == 1)))
            march_staged(walk, march, step, pair, column, rows);
        else
            pass->vectors->march(&march, &pass->weights);
        if (is_end && !is_last)
            swap_seam(walk, step, pair, column);
        advance(walk, &march, step);
    }
}

/* Copies what the piece has of the last step but one into its field. */
static void leave(const struct walk *walk, size_t step, size_t pair, struct rows rows)
{
    size_t margin = SEAM * step + WAVE_REACH * (walk->pass->steps - step);
    size_t from = margin > walk->offset ? margin - walk->offset : 0;
    size_t end = walk->piece->y1 - walk->piece->y0 + margin;
    size_t to = end > walk->offset ? end - walk->offset : 0;
    rows.from = from > rows.from ? from : rows.from;
    rows.to = to < rows.to ? to : rows.to;
    for (size_t column = 0; column < walk->columns; column++)
        move_column(walk, walk->pass->last_but_one, true, column_at(walk, step, pair, column) + walk->seam, step, pair,
                    column, rows);
}

static void make_pair(const struct walk *walk, size_t step, size_t pair)
{
    struct rows needed = rows_needed(walk, step), rows;
    size_t steps = walk->pass->steps;
    if (needed.from >= needed.to)
        return;
    for (rows = needed; rows.from < needed.to; rows.from = rows.to, rows.to = needed.to) {
        rows = rows_unbroken(walk, step, rows);
        make_columns(walk, step, pair, rows, rows.to == needed.to);
    }
    if (step < steps)
        close_lines(walk, step, pair);
    bool inside = pair >= steps && pair < pairs_end(walk, steps);
    if (step + 1 == steps && walk->pass->last_but_one && inside)
        leave(walk, step, pair, needed);
}

void wave_make_piece(const struct wave_pass *pass, const struct wave_piece *piece)
{
    size_t steps = pass->steps, rows = piece->y1 - piece->y0 + SEAM * steps;
    struct walk walk = walk_of(pass, piece, piece->z1 - piece->z0);
    walk.rings = piece->memory;
    walk.seams = walk.rings + steps * RING_PAIRS * walk.pair;
    walk.staged_before = walk.seams + steps * walk.seam_pairs * walk.columns * walk.seam;
    walk.staged_next = walk.staged_before + pass->rows * MARCH_PLANES * walk.length;
    for (walk.offset = 0; walk.offset < rows; walk.offset += pass->rows) {
        walk.y = (ptrdiff_t)(piece->y0 + walk.offset) - (ptrdiff_t)(WAVE_REACH * steps);
        for (size_t round = 0; round < walk.seam_pairs; round++) {
            copy_pair(&walk, round);
            for (size_t step = 1; step <= steps; step++)
                if (round >= 2 * step)
                    make_pair(&walk, step, round - step);
        }
    }
}
