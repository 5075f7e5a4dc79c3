/* The host half of the rungs of six bfloat16 products: the floats are split (tensor_planes.c), then multiplied. */
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
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

/* ---- what the GPU must be ------------------------------------------------------------------------------------- */

static int compute_capability(const struct device *device)
{
    int major = 0, minor = 0;
    return sscanf(device->properties.version, "%d.%d", &major, &minor) == 2 ? major * 10 + minor : 0;
}

static const char *supports_mma(const struct problem *problem, const struct device *device,
                                const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)parameters;
    if (compute_capability(device) >= 80)
        return NULL;
    explain(reason, size, "needs tensor cores for bfloat16, which GPUs have from compute capability 8.0 on");
    return reason;
}

static const char *supports_wgmma(const struct problem *problem, const struct device *device,
                                  const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)parameters;
    if (compute_capability(device) == 90)
        return NULL;
    explain(reason, size, "needs wgmma, which only GPUs of compute capability 9.0 (Hopper) have");
    return reason;
}

const struct rung matmul_tensor_split = {
    .backends = BACKEND_CUDA,
    .supports = supports_mma,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};

const struct rung matmul_tensor_split_async = {
    .backends = BACKEND_CUDA,
    .supports = supports_wgmma,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};
