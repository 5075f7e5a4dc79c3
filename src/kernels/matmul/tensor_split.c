/* The host half of the rungs of six bfloat16 products: the floats are split (tensor_planes.c), then multiplied. */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/matmul/tensor_planes.h"
#include "kernels/rung_header.h"

enum { MULTIPLY_ARGUMENTS = 16 };

struct tensor_state {
    struct tensor_split split;
    struct program *multiplier;
    struct launch multiply;
    struct argument_value arguments[MULTIPLY_ARGUMENTS];
};

static void finish(struct run *run)
{
    struct tensor_state *state = run->state;
    if (!state)
        return;
    program_discard(state->split.program);
    program_discard(state->multiplier);
    free(state);
    run->state = NULL;
}

/* Prepares the constant arguments; the buffers change from run to run. */
static enum status prepare(struct run *run, struct error *error)
{
    struct tensor_state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the launches");
    size_t tile_n = (size_t)run_parameter(run, "TILE_N");
    struct tensor_planes planes = tensor_planes_of(run->problem, tile_n, TENSOR_BFLOAT16, 0);
    enum status status = device_rung_shape(run, &state->multiply, error);
    state->multiply.arguments = state->arguments;
    state->multiply.argument_count = 4 + tensor_product_arguments(run->problem, &planes, false, &state->arguments[4]);
    if (status == STATUS_OK)
        status = tensor_split_prepare(run, &planes, tile_n, TENSOR_BFLOAT16, false, &state->split, error);
    if (status == STATUS_OK)
        status = device_rung_build(run, &state->multiplier, error);
    if (status != STATUS_OK)
        finish(run);
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct tensor_state *state = run->state;
    for (int i = 0; i < 3; i++)
        state->arguments[i] = tensor_buffer(&run->buffers[i]);
    state->arguments[3] = tensor_buffer(run->scratch);
    enum status status = tensor_split_enqueue(run, &state->split, true, error);
    return status == STATUS_OK ? program_launch(state->multiplier, &state->multiply, error) : status;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device;
    return tensor_planes_of(problem, (size_t)parameters->values[0], TENSOR_BFLOAT16, 0).bytes;
}

const struct rung matmul_tensor_split = {
    .backends = BACKEND_CUDA,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};

const struct rung matmul_tensor_split_async = {
    .backends = BACKEND_CUDA,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};
