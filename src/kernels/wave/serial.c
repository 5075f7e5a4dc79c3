#include "kernels/wave/row.h"

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct wave_grid grid = wave_grid_of(run->problem);
    struct wave_row_weights weights = wave_row_weights_of(grid.courant);
    for (size_t index = 0; index < grid.steps; index++) {
        struct wave_step step = wave_step_of(run, index);
        for (size_t z = 0; z < grid.nz; z++)
            wave_step_rows(&step, &weights, wave_row_plain, z, 0, grid.ny);
    }
    return STATUS_OK;
}

static double load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    (void)parameters, (void)threads;
    const struct wave_grid grid = wave_grid_of(problem);
    return wave_rows_work(&grid, grid.nz * grid.ny * grid.steps);
}

const struct rung wave_serial = {
    .name = "serial",
    .idea = "three loops over 13 points; each step writes over the field that is no longer needed",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .scratch = wave_turn_scratch,
    .load = load,
    .enqueue = enqueue,
};
