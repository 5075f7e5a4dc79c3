#include "kernels/wave/row.h"

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    wave_walk_strips(run, wave_row_vectors(cpu_isa()), (size_t)run_parameter(run, "ROWS"));
    return STATUS_OK;
}

const struct rung wave_simd = {
    .name = "simd",
    .idea = "the same with vectors, prefetched rows and streaming stores",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .tunables = {{.name = "ROWS", .initial = "32", .values = {8, 16, 32, 64, 128, 256}, .value_count = 6}},
    .tunable_count = 1,
    .scratch = wave_turn_scratch,
    .load = wave_strips_load,
    .enqueue = enqueue,
};
