#include "kernels/wave/row.h"

#include "base/size.h"

/* Planes of a slab: enough that the two planes before and after, which are read again, cost little. A thread has the
 * same slabs in each step, strip after strip: rows that two strips share come from its own caches. */
#define PLANES 64

void wave_walk_strips(const struct run *run, wave_row_function *function, size_t rows)
{
    struct wave_grid grid = wave_grid_of(run->problem);
    struct wave_row_weights weights = wave_row_weights_of(grid.courant);
    for (size_t index = 0; index < grid.steps; index++) {
        struct wave_step step = wave_step_of(run, index);
#pragma omp parallel for collapse(2) schedule(static)
        /* begin strips */
        for (size_t slab = 0; slab < grid.nz; slab += PLANES)
            for (size_t y = 0; y < grid.ny; y += rows)
                for (size_t z = slab; z < size_least(slab + PLANES, grid.nz); z++)
                    wave_step_rows(&step, &weights, function, z, y, size_least(y + rows, grid.ny));
        /* end strips */
    }
}

/* As schedule(static) shares the strips of all slabs. */
double wave_strips_load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    const struct wave_grid grid = wave_grid_of(problem);
    const size_t height = (size_t)parameters->values[0], strips = (grid.ny + height - 1) / height,
                 all = (grid.nz + PLANES - 1) / PLANES * strips, count = (size_t)threads;
    size_t most = 0;
    for (size_t thread = 0, i = 0; thread < count; thread++) {
        size_t rows = 0;
        for (const size_t end = i + all / count + (thread < all % count); i < end; i++)
            rows +=
                size_least(PLANES, grid.nz - i / strips * PLANES) * size_least(height, grid.ny - i % strips * height);
        most = rows > most ? rows : most;
    }
    return wave_rows_work(&grid, most * grid.steps);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    wave_walk_strips(run, wave_row_plain, (size_t)run_parameter(run, "ROWS"));
    return STATUS_OK;
}

const struct rung wave_blocked = {
    .name = "blocked",
    .idea = "strips of rows: the five planes of a strip fit L2, so that memory sends each point once",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .tunables = {{.name = "ROWS", .initial = "64", .values = {8, 16, 32, 64, 128, 256}, .value_count = 6}},
    .tunable_count = 1,
    .scratch = wave_turn_scratch,
    .load = wave_strips_load,
    .enqueue = enqueue,
};
