/* Several steps in one pass. A piece of the grid (rows y0 … y1 - 1 of planes z0 … z1 - 1) is made from the inputs
 * alone: the first step on the piece and a margin, the second on a margin narrower by two, … the last on the piece
 * itself. All steps advance together along z, each two planes behind the one before, so that five planes of each step
 * between are all that is kept, and they stay in the caches. Margins are computed twice, by the pieces on both sides:
 * pieces need nothing of each other, and periodic boundaries are no special case. */
#include "kernels/wave/row.h"

#include <omp.h>
#include <string.h>

#include "base/size.h"

#define FUSED_MOST 8
#define PLANES_KEPT (2 * WAVE_REACH + 1)
#define PLANES_LEAST 32     /* of a piece: fewer, and the margin costs more than it gains */
#define PIECES_PER_THREAD 4 /* so that the last ones do not leave threads idle for long */

/* One pass: `steps` steps from (before, here). */
struct pass {
    struct wave_grid grid;
    struct wave_row_weights weights;
    wave_row_function *function;
    const float *before, *here;
    float *last_but_one, *last; /* last_but_one: NULL when nothing goes on from here */
    size_t steps, rows, planes; /* of a piece */
    float *kept;                /* memory for the planes kept, kept_floats for each thread */
    size_t kept_floats;
};

struct piece {
    ptrdiff_t y0, y1, z0, z1;
    float *kept;
};

/* Rows that each kept plane has room for. */
static size_t rows_kept(size_t rows, size_t steps)
{
    return rows + 2 * (steps - 1) * WAVE_REACH;
}

/* How far beyond the piece step `step` (1 … steps) must be known. */
static ptrdiff_t margin(const struct pass *pass, size_t step)
{
    return (ptrdiff_t)(WAVE_REACH * (pass->steps - step));
}

/* A plane after `step` steps (0: `here`), as rows are taken from it: row y, counted from the piece's first, is at
 * rows + y · nx where it is one of those kept; a field's rows begin anew behind the last. */
struct plane {
    float *rows;
    bool is_field;
};

static struct plane field_plane(const struct pass *pass, const float *field, ptrdiff_t z)
{
    const struct wave_grid *grid = &pass->grid;
    return (struct plane){(float *)field + wave_wrap(z, grid->nz) * grid->ny * grid->nx, true};
}

static struct plane plane_after(const struct pass *pass, const struct piece *piece, size_t step, ptrdiff_t z)
{
    if (step == 0 || step == pass->steps)
        return field_plane(pass, step == 0 ? pass->here : pass->last, z);
    size_t slot = (size_t)(z - piece->z0 + (ptrdiff_t)(PLANES_KEPT * WAVE_REACH * FUSED_MOST)) % PLANES_KEPT;
    size_t rows = ((step - 1) * PLANES_KEPT + slot) * rows_kept(pass->rows, pass->steps) + (size_t)margin(pass, 1);
    return (struct plane){piece->kept + rows * pass->grid.nx, false};
}

static float *plane_row(const struct pass *pass, const struct piece *piece, struct plane plane, ptrdiff_t y)
{
    const struct wave_grid *grid = &pass->grid;
    ptrdiff_t row = plane.is_field ? (ptrdiff_t)wave_wrap(piece->y0 + y, grid->ny) : y;
    return plane.rows + row * (ptrdiff_t)grid->nx;
}

/* Plane z of step `step`, on the piece and as far beyond as the next steps need. */
static void make_plane(const struct pass *pass, const struct piece *piece, size_t step, ptrdiff_t z)
{
    size_t nx = pass->grid.nx;
    ptrdiff_t beyond = margin(pass, step), height = piece->y1 - piece->y0;
    struct plane here[PLANES_KEPT], next = plane_after(pass, piece, step, z);
    struct plane before = step == 1 ? field_plane(pass, pass->before, z) : plane_after(pass, piece, step - 2, z);
    for (ptrdiff_t i = 0; i < PLANES_KEPT; i++)
        here[i] = plane_after(pass, piece, step - 1, z + i - WAVE_REACH);
    bool leaves = step == pass->steps - 1 && pass->last_but_one && z >= piece->z0 && z < piece->z1;
    struct plane left = field_plane(pass, leaves ? pass->last_but_one : pass->last, z);
    for (ptrdiff_t y = -beyond; y < height + beyond; y++) {
        struct wave_row row = {
            .next = plane_row(pass, piece, next, y),
            .before = plane_row(pass, piece, before, y),
            .here = plane_row(pass, piece, here[2], y),
            .near = {plane_row(pass, piece, here[2], y - 1), plane_row(pass, piece, here[2], y + 1),
                     plane_row(pass, piece, here[1], y), plane_row(pass, piece, here[3], y)},
            .far = {plane_row(pass, piece, here[2], y - 2), plane_row(pass, piece, here[2], y + 2),
                    plane_row(pass, piece, here[0], y), plane_row(pass, piece, here[4], y)},
            .nx = nx,
            .stream = step == pass->steps,
            .fetch = step == 1,
        };
        pass->function(&row, &pass->weights);
        if (leaves && y >= 0 && y < height)
            memcpy(plane_row(pass, piece, left, y), row.next, nx * sizeof *row.next);
    }
}

static void make_piece(const struct pass *pass, const struct piece *piece)
{
    for (ptrdiff_t front = piece->z0 - margin(pass, 1); front < piece->z1 + margin(pass, 1); front++)
        for (size_t step = 1; step <= pass->steps; step++) {
            ptrdiff_t z = front - (ptrdiff_t)(WAVE_REACH * (step - 1)), beyond = margin(pass, step);
            if (z >= piece->z0 - beyond && z < piece->z1 + beyond)
                make_plane(pass, piece, step, z);
        }
}

static ptrdiff_t least(size_t a, size_t b)
{
    return (ptrdiff_t)(a < b ? a : b);
}

static void make_pass(struct pass *pass)
{
    const struct wave_grid *grid = &pass->grid;
    size_t strips = (grid->ny + pass->rows - 1) / pass->rows;
    size_t slabs = (PIECES_PER_THREAD * (size_t)omp_get_max_threads() + strips - 1) / strips;
    pass->planes = (grid->nz + slabs - 1) / slabs;
    pass->planes = pass->planes < PLANES_LEAST ? PLANES_LEAST : pass->planes;
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (size_t z = 0; z < grid->nz; z += pass->planes)
        for (size_t y = 0; y < grid->ny; y += pass->rows) {
            struct piece piece = {
                .y0 = (ptrdiff_t)y,
                .y1 = least(y + pass->rows, grid->ny),
                .z0 = (ptrdiff_t)z,
                .z1 = least(z + pass->planes, grid->nz),
                .kept = pass->kept + (size_t)omp_get_thread_num() * pass->kept_floats,
            };
            make_piece(pass, &piece);
        }
}

/* ---- the rung ------------------------------------------------------------------------------------------------- */

/* What the scratch memory holds: the planes kept, and fields in pairs (last_but_one, last) that passes leave to each
 * other. The last pass leaves the result alone; with two passes one pair is between them, with more there are two. */
struct plan {
    size_t most;        /* steps of a pass */
    size_t passes;      /* how many */
    size_t rows;        /* of a piece */
    size_t kept_floats; /* for each thread */
    size_t points, pairs;
};

static struct plan plan_of(const struct wave_grid *grid, int64_t steps, int64_t rows)
{
    struct plan plan = {.most = (size_t)steps < grid->steps ? (size_t)steps : grid->steps};
    plan.passes = (grid->steps + plan.most - 1) / plan.most;
    plan.rows = (size_t)rows < grid->ny ? (size_t)rows : grid->ny;
    plan.kept_floats = (plan.most - 1) * PLANES_KEPT * rows_kept(plan.rows, plan.most) * grid->nx;
    plan.kept_floats = (plan.kept_floats + 15) / 16 * 16;
    plan.points = grid->nx * grid->ny * grid->nz;
    plan.pairs = plan.passes > 2 ? 2 : plan.passes - 1;
    return plan;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device;
    struct wave_grid grid = wave_grid_of(problem);
    struct plan plan = plan_of(&grid, parameters->values[0], parameters->values[1]);
    return sizeof(float) * (2 * plan.pairs * plan.points + (size_t)omp_get_max_threads() * plan.kept_floats);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct wave_grid grid = wave_grid_of(run->problem);
    struct plan plan = plan_of(&grid, run_parameter(run, "STEPS"), run_parameter(run, "ROWS"));
    float *fields = run->scratch ? run->scratch->host : NULL;
    struct pass pass = {
        .grid = grid,
        .weights = wave_row_weights_of(grid.courant),
        .function = wave_row_vectors(cpu_isa()),
        .before = run->buffers[WAVE_PREVIOUS].host,
        .here = run->buffers[WAVE_CURRENT].host,
        .rows = plan.rows,
        .kept = fields ? fields + 2 * plan.pairs * plan.points : NULL,
        .kept_floats = plan.kept_floats,
    };
    for (size_t index = 0, done = 0; index < plan.passes; index++, done += pass.steps) {
        bool is_last = index + 1 == plan.passes;
        float *pair = is_last ? NULL : fields + 2 * (index % 2) * plan.points;
        pass.steps = (grid.steps - done + plan.passes - index - 1) / (plan.passes - index); /* as equal as can be */
        pass.last_but_one = pair;
        pass.last = is_last ? run->buffers[WAVE_RESULT].host : pair + plan.points;
        if (pass.steps == 1 && pair)
            memcpy(pass.last_but_one, pass.here, plan.points * sizeof *pass.here);
        make_pass(&pass);
        pass.before = pass.last_but_one;
        pass.here = pass.last;
    }
    return STATUS_OK;
}

const struct rung wave_fused = {
    .name = "fused",
    .idea = "several steps in one pass: each follows the one before two planes behind, while those are in the caches",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .tunables = {{.name = "STEPS", .initial = "4", .values = {1, 2, 3, 4, 5, 6, 8}, .value_count = 7},
                 {.name = "ROWS", .initial = "64", .values = {16, 32, 64, 128, 256}, .value_count = 5}},
    .tunable_count = 2,
    .fuses = true,
    .scratch = scratch,
    .enqueue = enqueue,
};
