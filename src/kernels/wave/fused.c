/* Several steps in one pass: the data are read once, go through all steps in the caches, and are written once. Pieces
 * of the grid (fused_piece.c) are made by threads that need nothing of each other: what lies around a piece is made on
 * both sides, and periodic boundaries are no special case. Threads share the rows first, and planes only where rows do
 * not suffice: between strips of rows halos are made twice anyway. */
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "base/size.h"
#include "kernels/wave/fused_piece.h"

/* The least sides of a piece: smaller ones, and what is made twice costs more than another thread gains. */
#define PLANES_LEAST 32
#define ROWS_LEAST 64

#define LINE_FLOATS 16 /* of a cache line */

/* What the scratch memory holds: fields in pairs (last_but_one, last) that passes leave to each other, and each
 * thread's memory for a piece. The last pass leaves the result alone; with two passes one pair is between them, with
 * more there are two. */
struct plan {
    size_t passes, pairs;
    size_t points;          /* of a field, to whole lines */
    size_t slabs, sections; /* pieces along z and y */
    size_t piece_floats;
    struct wave_pass pass; /* as far as all passes agree; `steps` is the most */
};

static size_t at_least_one(size_t count)
{
    return count > 0 ? count : 1;
}

static size_t whole_lines(size_t floats)
{
    return (floats + LINE_FLOATS - 1) / LINE_FLOATS * LINE_FLOATS;
}

/* Where piece i of `count` begins along a side of n. */
static size_t piece_begin(size_t n, size_t count, size_t i)
{
    return i == count ? n : n / count * i;
}

static struct plan plan_of(const struct wave_grid *grid, int64_t steps, int64_t rows, size_t threads)
{
    struct plan plan = {
        .points = whole_lines(grid->nx * grid->ny * grid->nz),
        .sections = size_least(threads, at_least_one(grid->ny / ROWS_LEAST)),
        .pass = {.grid = *grid,
                 .weights = wave_row_weights_of(grid->courant),
                 .function = wave_row_vectors(cpu_isa()),
                 .pairs = wave_pair_vectors(cpu_isa(), grid->nx),
                 .copy = copy_part_streaming(cpu_isa()),
                 .steps = size_least((size_t)steps, grid->steps),
                 .rows = (size_t)rows},
    };
    plan.slabs = size_least((threads + plan.sections - 1) / plan.sections, at_least_one(grid->nz / PLANES_LEAST));
    plan.passes = (grid->steps + plan.pass.steps - 1) / plan.pass.steps;
    plan.pairs = plan.passes > 2 ? 2 : plan.passes - 1;
    plan.piece_floats = wave_piece_floats(&plan.pass);
    if (plan.piece_floats != SIZE_MAX)
        plan.piece_floats = whole_lines(at_least_one(plan.piece_floats));
    return plan;
}

/* Of the next pass: as equal as can be. */
static size_t steps_of_pass(size_t steps_left, size_t passes_left)
{
    return (steps_left + passes_left - 1) / passes_left;
}

/* Rows that a pass makes of the largest piece, with the margins of its strips and of the piece. */
static size_t rows_of_piece(const struct plan *plan, size_t steps)
{
    const struct wave_grid *grid = &plan->pass.grid;
    const size_t height = piece_begin(grid->ny, plan->sections, 1), planes = piece_begin(grid->nz, plan->slabs, 1),
                 strips = (height + plan->pass.rows - 1) / plan->pass.rows;
    size_t rows = 0;
    for (size_t step = 0; step < steps; step++)
        rows += (height + strips * 2 * WAVE_REACH * step) * (planes + 2 * WAVE_REACH * step);
    return rows;
}

static double load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    const struct wave_grid grid = wave_grid_of(problem);
    const struct plan plan = plan_of(&grid, parameters->values[0], parameters->values[1], (size_t)threads);
    const size_t pieces = (plan.slabs * plan.sections + (size_t)threads - 1) / (size_t)threads;
    size_t rows = 0, left = grid.steps;
    for (size_t passes = plan.passes; passes > 0; passes--) {
        const size_t steps = steps_of_pass(left, passes);
        rows += pieces * rows_of_piece(&plan, steps);
        left -= steps;
    }
    return wave_rows_work(&grid, rows);
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device;
    const size_t threads = (size_t)omp_get_max_threads();
    struct wave_grid grid = wave_grid_of(problem);
    struct plan plan = plan_of(&grid, parameters->values[0], parameters->values[1], threads);
    size_t pieces, floats, bytes;
    bool fits = size_multiply(plan.piece_floats, threads, &pieces) &&
                size_add(pieces, 2 * plan.pairs * plan.points, &floats) && size_multiply(floats, sizeof(float), &bytes);
    return fits ? bytes : SIZE_MAX;
}

static void make_pass(const struct plan *plan, const struct wave_pass *pass, float *memory)
{
    const struct wave_grid *grid = &pass->grid;
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (size_t slab = 0; slab < plan->slabs; slab++)
        for (size_t section = 0; section < plan->sections; section++) {
            struct wave_piece piece = {
                .y0 = piece_begin(grid->ny, plan->sections, section),
                .y1 = piece_begin(grid->ny, plan->sections, section + 1),
                .z0 = piece_begin(grid->nz, plan->slabs, slab),
                .z1 = piece_begin(grid->nz, plan->slabs, slab + 1),
                .memory = memory + (size_t)omp_get_thread_num() * plan->piece_floats,
            };
            wave_make_piece(pass, &piece);
        }
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct wave_grid grid = wave_grid_of(run->problem);
    struct plan plan =
        plan_of(&grid, run_parameter(run, "STEPS"), run_parameter(run, "ROWS"), (size_t)omp_get_max_threads());
    struct wave_pass pass = plan.pass;
    float *fields = run->scratch->host, *memory = fields + 2 * plan.pairs * plan.points;
    pass.before = run->buffers[WAVE_PREVIOUS].host;
    pass.here = run->buffers[WAVE_CURRENT].host;
    for (size_t index = 0, done = 0; index < plan.passes; index++, done += pass.steps) {
        bool is_last = index + 1 == plan.passes;
        float *pair = is_last ? NULL : fields + 2 * (index % 2) * plan.points;
        pass.steps = steps_of_pass(grid.steps - done, plan.passes - index);
        pass.last_but_one = pair;
        pass.last = is_last ? run->buffers[WAVE_RESULT].host : pair + plan.points;
        if (pass.steps == 1 && pair)
            memcpy(pass.last_but_one, pass.here, grid.nx * grid.ny * grid.nz * sizeof *pass.here);
        make_pass(&plan, &pass, memory);
        pass.before = pass.last_but_one;
        pass.here = pass.last;
    }
    return STATUS_OK;
}

const struct rung wave_fused = {
    .name = "fused",
    .idea = "temporal blocking: several steps in one pass, each two planes behind the one before, while those are in "
            "the caches",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .tunables = {{.name = "STEPS", .initial = "4", .values = {1, 2, 3, 4, 5, 6, WAVE_PASS_STEPS}, .value_count = 7},
                 {.name = "ROWS", .initial = "128", .values = {8, 16, 32, 64, 128, 256}, .value_count = 6}},
    .tunable_count = 2,
    .fuses = true,
    .scratch = scratch,
    .load = load,
    .enqueue = enqueue,
};
