#include "kernels/wave/fused_piece.h"

#include <string.h>

#include "base/size.h"

/* A strip of rows walks through all planes. In a round each step makes the next planes, two planes behind the step
 * before it, and more of them and more rows than the step after it needs on either side. Planes made at once share the
 * rows that both read, while those are near. */
#define PLANES_AT_ONCE 2
#define PLANES_READ (PLANES_AT_ONCE + 2 * WAVE_REACH)

/* Rows of a ring are a line longer than a field's: at distances of a power of two they would collide in the caches. */
#define LINE_FLOATS 16

struct strip {
    const struct wave_pass *pass;
    const struct wave_piece *piece;
    size_t stride, plane, depth; /* of a ring: floats from row to row and from plane to plane; planes */
    ptrdiff_t y0, y1;            /* the rows that the last step makes */
};

/* How much more than the last step `step` makes on either side; what step 0 has made is the input. */
static ptrdiff_t margin_of(const struct wave_pass *pass, size_t step)
{
    return (ptrdiff_t)(WAVE_REACH * (pass->steps - step));
}

/* ---- where rows are ---- */

/* All steps but the last make planes of two rings, the odd ones of the first. A step writes over what the step two
 * before it made of the same plane: it reads those points itself, and nobody does after it. */
#define RINGS 2

static struct strip strip_of(const struct wave_pass *pass, const struct wave_piece *piece)
{
    size_t stride = (pass->grid.nx + LINE_FLOATS - 1) / LINE_FLOATS * LINE_FLOATS + LINE_FLOATS;
    return (struct strip){
        .pass = pass,
        .piece = piece,
        .stride = stride,
        .plane = (pass->rows + 2 * (size_t)margin_of(pass, 1)) * stride,
        .depth = WAVE_REACH * pass->steps + PLANES_AT_ONCE,
    };
}

size_t wave_piece_floats(const struct wave_pass *pass)
{
    struct strip strip = strip_of(pass, NULL);
    size_t floats;
    return size_multiply(RINGS * strip.depth, strip.plane, &floats) ? floats : SIZE_MAX;
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
    size_t slot = (step - 1) % RINGS * strip->depth + (size_t)(z - first_z) % strip->depth;
    ptrdiff_t stride = (ptrdiff_t)strip->stride;
    return (struct plane){.rows = strip->piece->memory + slot * strip->plane - first_y * stride, .stride = stride};
}

/* ---- steps ---- */

/* What one step makes in a round. */
struct turn {
    size_t step;
    ptrdiff_t z;
    struct plane here[PLANES_READ], before[PLANES_AT_ONCE], next[PLANES_AT_ONCE];
    struct plane soon_here[PLANES_AT_ONCE], soon_before[PLANES_AT_ONCE]; /* of the inputs, for the round after this */
};

static struct turn turn_of(const struct strip *strip, size_t step, ptrdiff_t z)
{
    const struct wave_pass *pass = strip->pass;
    struct turn turn = {.step = step, .z = z};
    for (int i = 0; i < PLANES_READ; i++)
        turn.here[i] = plane_after(strip, step - 1, z + i - WAVE_REACH);
    ptrdiff_t soon = z + (ptrdiff_t)(WAVE_REACH * (step - 1)) + PLANES_AT_ONCE;
    for (int i = 0; i < PLANES_AT_ONCE; i++) {
        turn.next[i] = plane_after(strip, step, z + i);
        turn.before[i] = step == 1 ? field_plane(strip, pass->before, z + i) : plane_after(strip, step - 2, z + i);
        turn.soon_here[i] = field_plane(strip, pass->here, soon + WAVE_REACH + i);
        turn.soon_before[i] = field_plane(strip, pass->before, soon + i);
    }
    return turn;
}

/* Memory is asked for the next round's rows evenly through all steps of this one: each asks for its share of them. */
static void set_soon(const struct strip *strip, const struct turn *turn, size_t count, struct wave_row *row)
{
    const struct wave_pass *pass = strip->pass;
    ptrdiff_t first = strip->y0 - margin_of(pass, 0), rows = strip->y1 + margin_of(pass, 0) - first;
    count += (turn->step - 1) * (size_t)rows * PLANES_AT_ONCE;
    row->soon[0] = row->soon[1] = row->here;
    if (count % pass->steps != 0)
        return;
    ptrdiff_t y = first + (ptrdiff_t)(count / pass->steps / PLANES_AT_ONCE);
    size_t plane = count / pass->steps % PLANES_AT_ONCE;
    row->soon[0] = row_of(&turn->soon_here[plane], y);
    row->soon[1] = row_of(&turn->soon_before[plane], y);
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
static void leave(const struct strip *strip, const float *made, ptrdiff_t y, ptrdiff_t z)
{
    const struct wave_pass *pass = strip->pass;
    bool own = y >= strip->y0 && y < strip->y1 && z >= (ptrdiff_t)strip->piece->z0 && z < (ptrdiff_t)strip->piece->z1;
    if (!own)
        return;
    struct plane plane = field_plane(strip, pass->last_but_one, z);
    memcpy(row_of(&plane, y), made, pass->grid.nx * sizeof *made);
}

static void make_planes(const struct strip *strip, size_t step, ptrdiff_t z)
{
    const struct wave_pass *pass = strip->pass;
    ptrdiff_t margin = margin_of(pass, step), from = strip->y0 - margin, to = strip->y1 + margin;
    ptrdiff_t z_from = (ptrdiff_t)strip->piece->z0 - margin, z_to = (ptrdiff_t)strip->piece->z1 + margin;
    bool leaves = pass->last_but_one && step + 1 == pass->steps;
    struct turn turn = turn_of(strip, step, z);
    size_t count = 0;
    for (ptrdiff_t y = from; y < to; y++)
        for (ptrdiff_t plane = 0; plane < PLANES_AT_ONCE; plane++, count++) {
            if (z + plane < z_from || z + plane >= z_to)
                continue;
            struct wave_row row = row_at(strip, &turn, y, (size_t)plane);
            set_soon(strip, &turn, count, &row);
            pass->function(&row, &pass->weights);
            if (leaves)
                leave(strip, row.next, y, z + plane);
        }
}

static void make_strip(const struct strip *strip)
{
    const struct wave_pass *pass = strip->pass;
    ptrdiff_t z0 = (ptrdiff_t)strip->piece->z0, z1 = (ptrdiff_t)strip->piece->z1, most = margin_of(pass, 1);
    for (ptrdiff_t round = z0 - most; round < z1 + most; round += PLANES_AT_ONCE)
        for (size_t step = 1; step <= pass->steps; step++) {
            ptrdiff_t z = round - (ptrdiff_t)(WAVE_REACH * (step - 1)), margin = margin_of(pass, step);
            if (z + PLANES_AT_ONCE > z0 - margin && z < z1 + margin)
                make_planes(strip, step, z);
        }
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
