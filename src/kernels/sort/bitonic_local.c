#include "kernels/sort/bitonic_blocks.h"

static const struct bitonic_blocks blocks = {.per_item = 2, .step_per_item = 2, .steps = 1};

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device;
    return bitonic_blocks_scratch(&blocks, problem, (size_t)parameters->values[0]); /* GROUP */
}

static enum status enqueue(struct run *run, struct error *error)
{
    return bitonic_blocks_enqueue(&blocks, run, error);
}

const struct rung sort_bitonic_local = {
    .takes_origin = true, .scratch = scratch, .load = network_load, .enqueue = enqueue};
