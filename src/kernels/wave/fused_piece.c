#include "kernels/wave/fused_piece.h"

#include "base/size.h"

/* A strip of rows walks through all planes. In a round each step makes the next two planes, two planes behind the step
 * before it, and more of them and more rows than the step after it needs on either side. */
#define PLANES_AT_ONCE 2
#define PLANES_READ (PLANES_AT_ONCE + 2 * WAVE_REACH)
#define BLOCK_ROWS 8
#define ROWS_AHEAD 40 /* rows before its use at which a row of the first step's inputs is prefetched */

/* Rows of a ring are a line longer than a field's: at distances of a power of two they would collide in the caches. */
#define LINE_FLOATS 16

/* All steps but the last make planes of two rings, the odd ones of the first. A step writes over what the step two
 * before it made of the same plane: it reads those points itself, and nobody does after it. */
#define RINGS 2

struct strip {
    const struct wave_pass *pass;
    const struct wave_piece *piece;
    size_t stride, plane, depth[RINGS]; /* of a ring: floats from row to row and from plane to plane; planes */
    ptrdiff_t y0, y1;                   /* the rows that the last step makes */
};

/* How much more than the last step `step` makes on either side; what step 0 has made is the input. */
static ptrdiff_t margin_of(const struct wave_pass *pass, size_t step)
{
    return (ptrdiff_t)(WAVE_REACH * (pass->steps - step));
}

/* ---- where rows are ---- */

/* Planes of a ring: from the newest that its first step makes to the oldest that the step after its last one reads. */
static size_t depth_of(size_t steps, size_t ring)
{
    size_t first = ring + 1, last = steps - 1;
    if (last < first)
        return 0;
    last -= (last - first) % RINGS;
    return PLANES_READ + WAVE_REACH * (last - first);
}

static struct strip strip_of(const struct wave_pass *pass, const struct wave_piece *piece)
{
    size_t stride = (pass->grid.nx + LINE_FLOATS - 1) / LINE_FLOATS * LINE_FLOATS + LINE_FLOATS;
    return (struct strip){
        .pass = pass,
        .piece = piece,
        .stride = stride,
        .plane = (pass->rows + 2 * (size_t)margin_of(pass, 1)) * stride,
        .depth = {depth_of(pass->steps, 0), depth_of(pass->steps, 1)},
    };
}

size_t wave_piece_floats(const struct wave_pass *pass)
{
    struct strip strip = strip_of(pass, NULL);
    size_t floats;
    return size_multiply(strip.depth[0] + strip.depth[1], strip.plane, &floats) ? floats : SIZE_MAX;
}

/* The rows of one plane: of a ring, or of a field, which goes around. */
struct plane {
    float *rows; /* row 0 */
    ptrdiff_t stride;
    size_t around; /* the field's rows, where the strip needs some that lie outside; else 0 */
};

static inline float *row_of(const struct plane *plane, ptrdiff_t y)
{
    return plane->rows + (plane->around ? (ptrdiff_t)wave_wrap(y, plane->around) : y) * plane->stride;
}

static struct plane field_plane(const struct strip *strip, const float *field, ptrdiff_t z)
{
    const struct wave_grid *grid = &strip->pass->grid;
    ptrdiff_t reach = margin_of(strip->pass, 0);
    bool inside = strip->y0 >= reach && strip->y1 + reach <= (ptrdiff_t)grid->ny;
    return (struct plane){
        .rows = (float *)field + wave_wrap(z, grid->nz) * grid->ny * grid->nx,
        .stride = (ptrdiff_t)grid->nx,
        .around = inside ? 0 : grid->ny,
    };
}

/* Plane z after `step` steps. */
static struct plane plane_after(const struct strip *strip, size_t step, ptrdiff_t z)
{
    const struct wave_pass *pass = strip->pass;
    if (step == 0)
        return field_plane(strip, pass->here, z);
    if (step == pass->steps)
        return field_plane(strip, pass->last, z);
    ptrdiff_t first_y = strip->y0 - margin_of(pass, 1), first_z = (ptrdiff_t)strip->piece->z0 - margin_of(pass, 0);
    size_t ring = (step - 1) % RINGS, depth = strip->depth[ring];
    size_t slot = ring * strip->depth[0] + (size_t)(z - first_z) % depth;
    ptrdiff_t stride = (ptrdiff_t)strip->stride;
    return (struct plane){.rows = strip->piece->memory + slot * strip->plane - first_y * stride, .stride = stride};
}

/* ---- steps ---- */

/* The work of one step in a round. */
struct turn {
    size_t step;
    ptrdiff_t z, z_from, z_to; /* the planes that this step makes at all */
    struct plane here[PLANES_READ], before[PLANES_AT_ONCE], next[PLANES_AT_ONCE];
};

/* The rows to prefetch: the next row of two planes of each input, for a later round of the first step. */
struct soon {
    ptrdiff_t z, y;
    struct plane here[PLANES_AT_ONCE], before[PLANES_AT_ONCE];
};

struct round {
    struct turn turns[WAVE_PASS_STEPS];
    struct soon soon;
    ptrdiff_t rows, due; /* rows that all steps make; grows with each until it makes one more of `soon` due */
};

static struct turn turn_of(const struct strip *strip, size_t step, ptrdiff_t z)
{
    const struct wave_pass *pass = strip->pass;
    struct turn turn = {.step = step, .z = z};
    turn.z_from = (ptrdiff_t)strip->piece->z0 - margin_of(pass, step);
    turn.z_to = (ptrdiff_t)strip->piece->z1 + margin_of(pass, step);
    for (int i = 0; i < PLANES_READ; i++)
        turn.here[i] = plane_after(strip, step - 1, z + i - WAVE_REACH);
    for (int i = 0; i < PLANES_AT_ONCE; i++) {
        turn.next[i] = plane_after(strip, step, z + i);
        turn.before[i] = step == 1 ? field_plane(strip, pass->before, z + i) : plane_after(strip, step - 2, z + i);
    }
    return turn;
}

static ptrdiff_t first_row(const struct strip *strip, size_t step)
{
    return strip->y0 - margin_of(strip->pass, step);
}

static ptrdiff_t row_count(const struct strip *strip, size_t step)
{
    return strip->y1 - strip->y0 + 2 * margin_of(strip->pass, step);
}

/* Row y and those after it, as the first step needs them for planes z and z + 1. */
static struct soon soon_of(const struct strip *strip, ptrdiff_t z, ptrdiff_t y)
{
    struct soon soon = {.z = z, .y = y};
    for (int i = 0; i < PLANES_AT_ONCE; i++) {
        soon.here[i] = field_plane(strip, strip->pass->here, z + WAVE_REACH + i);
        soon.before[i] = field_plane(strip, strip->pass->before, z + i);
    }
    return soon;
}

/* The first step makes planes z and z + 1. */
static struct round round_of(const struct strip *strip, ptrdiff_t z)
{
    ptrdiff_t ahead = ROWS_AHEAD < row_count(strip, 0) ? ROWS_AHEAD : row_count(strip, 0);
    struct round round = {.soon = soon_of(strip, z, first_row(strip, 0) + ahead)};
    for (size_t step = 1; step <= strip->pass->steps; step++) {
        round.turns[step - 1] = turn_of(strip, step, z - (ptrdiff_t)(WAVE_REACH * (step - 1)));
        round.rows += row_count(strip, step);
    }
    return round;
}

/* Spreads the prefetches evenly over all steps: each row that a step computes in both planes prefetches its share, one
 * row or none. Sets those rows, plane by plane the one of `here` and the one of `before`. */
static bool set_soon(const struct strip *strip, struct round *round, const float **rows)
{
    struct soon *soon = &round->soon;
    round->due += row_count(strip, 0);
    if (round->due < round->rows)
        return false;
    round->due -= round->rows;
    if (soon->y == first_row(strip, 0) + row_count(strip, 0))
        *soon = soon_of(strip, soon->z + PLANES_AT_ONCE, first_row(strip, 0));
    for (size_t plane = 0; plane < PLANES_AT_ONCE; plane++) {
        rows[2 * plane] = row_of(&soon->here[plane], soon->y);
        rows[2 * plane + 1] = row_of(&soon->before[plane], soon->y);
    }
    soon->y++;
    return true;
}

static struct wave_row row_at(const struct strip *strip, const struct turn *turn, ptrdiff_t y, size_t plane)
{
    const struct plane *z = &turn->here[plane + WAVE_REACH];
    return (struct wave_row){
        .next = row_of(&turn->next[plane], y),
        .before = row_of(&turn->before[plane], y),
        .here = row_of(z, y),
        .near = {row_of(z, y - 1), row_of(z, y + 1), row_of(z - 1, y), row_of(z + 1, y)},
        .far = {row_of(z, y - 2), row_of(z, y + 2), row_of(z - 2, y), row_of(z + 2, y)},
        .nx = strip->pass->grid.nx,
        .stream = turn->step == strip->pass->steps,
    };
}

/* Copies a row of the last step but one into its field, where it is the piece's own. */
static void leave(const struct strip *strip, const struct turn *turn, ptrdiff_t y, ptrdiff_t plane)
{
    const struct wave_pass *pass = strip->pass;
    const struct wave_piece *piece = strip->piece;
    ptrdiff_t z = turn->z + plane;
    bool own = y >= strip->y0 && y < strip->y1 && z >= (ptrdiff_t)piece->z0 && z < (ptrdiff_t)piece->z1;
    if (!own || !pass->last_but_one || turn->step + 1 != pass->steps)
        return;
    struct plane field = field_plane(strip, pass->last_but_one, z);
    pass->copy((char *)row_of(&field, y), (const char *)row_of(&turn->next[plane], y), pass->grid.nx * sizeof(float));
}

/* Row y of the planes that this step makes. */
static void make_row(const struct strip *strip, struct round *round, const struct turn *turn, ptrdiff_t y)
{
    const struct wave_pass *pass = strip->pass;
    const float *soon[WAVE_PAIR_SOON];
    bool asks = set_soon(strip, round, soon);
    for (ptrdiff_t plane = 0; plane < PLANES_AT_ONCE; plane++) {
        if (turn->z + plane < turn->z_from || turn->z + plane >= turn->z_to)
            continue;
        struct wave_row row = row_at(strip, turn, y, (size_t)plane);
        row.soon[0] = asks ? soon[2 * plane] : row.here;
        row.soon[1] = asks ? soon[2 * plane + 1] : row.here;
        pass->function(&row, &pass->weights);
        leave(strip, turn, y, plane);
    }
}

/* How many rows from y on may be made in pairs of planes, which want rows at equal distances: none of the rows they
 * read lie on the other side of the field's edge. Only the first two steps read a field. */
static ptrdiff_t pair_rows(const struct strip *strip, const struct turn *turn, ptrdiff_t y, ptrdiff_t to)
{
    const struct wave_pass *pass = strip->pass;
    if (!pass->pairs.one || turn->z < turn->z_from || turn->z + PLANES_AT_ONCE > turn->z_to)
        return 0;
    size_t ny = turn->before[0].around;
    ptrdiff_t reach = turn->step == 1 ? WAVE_REACH : 0, rows = to - y;
    if (ny) {
        ptrdiff_t left = (ptrdiff_t)(ny - wave_wrap(y - reach, ny)) - 2 * reach;
        rows = left < rows ? left : rows;
    }
    return rows > 0 ? rows : 0;
}

static struct wave_pair pair_at(const struct strip *strip, const struct turn *turn, ptrdiff_t y)
{
    const struct plane *z = &turn->here[WAVE_REACH];
    return (struct wave_pair){
        .below = {row_of(z - 2, y), row_of(z - 1, y)},
        .here = {row_of(z, y), row_of(z + 1, y)},
        .above = {row_of(z + 2, y), row_of(z + 3, y)},
        .before = {row_of(&turn->before[0], y), row_of(&turn->before[1], y)},
        .next = {row_of(&turn->next[0], y), row_of(&turn->next[1], y)},
        .stride = z->stride,
        .before_stride = turn->before[0].stride,
        .next_stride = turn->next[0].stride,
        .nx = strip->pass->grid.nx,
        .stream = turn->step == strip->pass->steps,
    };
}

/* The first step reads its rows from memory, and loses more by two rows at once, with more loads outstanding, than it
 * gains. */
static ptrdiff_t rows_at_once(const struct strip *strip, const struct turn *turn)
{
    return turn->step == 1 || !strip->pass->pairs.two ? 1 : 2;
}

/* Rows y … y + rows - 1 of both planes. */
static void make_pairs(const struct strip *strip, struct round *round, const struct turn *turn, ptrdiff_t y,
                       ptrdiff_t rows)
{
    const struct wave_pass *pass = strip->pass;
    ptrdiff_t at_once = rows_at_once(strip, turn);
    wave_pair_function *function = at_once == 1 ? pass->pairs.one : pass->pairs.two;
    struct wave_pair pair = pair_at(strip, turn, y);
    for (ptrdiff_t end = y + rows; y < end; y += at_once) {
        pair.soon_count = 0;
        for (ptrdiff_t row = y; row < y + at_once; row++)
            pair.soon_count += set_soon(strip, round, pair.soon + pair.soon_count) ? WAVE_PAIR_SOON / 2 : 0;
        function(&pair, &pass->weights);
        for (ptrdiff_t row = y; row < y + at_once; row++)
            for (ptrdiff_t plane = 0; plane < PLANES_AT_ONCE; plane++)
                leave(strip, turn, row, plane);
        for (int plane = 0; plane < PLANES_AT_ONCE; plane++) {
            pair.below[plane] += at_once * pair.stride;
            pair.here[plane] += at_once * pair.stride;
            pair.above[plane] += at_once * pair.stride;
            pair.before[plane] += at_once * pair.before_stride;
            pair.next[plane] += at_once * pair.next_stride;
        }
    }
}

static void make_rows(const struct strip *strip, struct round *round, const struct turn *turn, ptrdiff_t from,
                      ptrdiff_t to)
{
    ptrdiff_t at_once = rows_at_once(strip, turn);
    for (ptrdiff_t y = from; y < to;) {
        ptrdiff_t rows = pair_rows(strip, turn, y, to) / at_once * at_once;
        if (rows > 0)
            make_pairs(strip, round, turn, y, rows);
        else
            make_row(strip, round, turn, y);
        y += rows > 0 ? rows : 1;
    }
}

/* A block of rows goes through all steps, each two rows behind the step before it, which has then made all it reads. */
static void make_round(const struct strip *strip, ptrdiff_t z)
{
    const struct wave_pass *pass = strip->pass;
    struct round round = round_of(strip, z);
    ptrdiff_t begin = first_row(strip, 1), end = begin + row_count(strip, 1);
    for (ptrdiff_t block = begin; block < end; block += BLOCK_ROWS)
        for (size_t step = 1; step <= pass->steps; step++) {
            const struct turn *turn = &round.turns[step - 1];
            ptrdiff_t behind = (ptrdiff_t)(WAVE_REACH * (step - 1)), first = first_row(strip, step);
            ptrdiff_t from = block - behind, to = (block + BLOCK_ROWS < end ? block + BLOCK_ROWS : end) - behind;
            if (turn->z + PLANES_AT_ONCE > turn->z_from && turn->z < turn->z_to)
                make_rows(strip, &round, turn, from > first ? from : first, to);
        }
}

static void make_strip(const struct strip *strip)
{
    ptrdiff_t most_planes = margin_of(strip->pass, 1), z1 = (ptrdiff_t)strip->piece->z1 + most_planes;
    for (ptrdiff_t z = (ptrdiff_t)strip->piece->z0 - most_planes; z < z1; z += PLANES_AT_ONCE)
        make_round(strip, z);
}

void wave_make_piece(const struct wave_pass *pass, const struct wave_piece *piece)
{
    struct strip strip = strip_of(pass, piece);
    for (size_t y = piece->y0; y < piece->y1; y += pass->rows) {
        strip.y0 = (ptrdiff_t)y;
        strip.y1 = (ptrdiff_t)(y + pass->rows < piece->y1 ? y + pass->rows : piece->y1);
        make_strip(&strip);
    }
}
