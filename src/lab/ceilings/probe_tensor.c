#include <math.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "lab/ceilings/probes.h"

/* As in tensor.cu. */
#define GROUP_ITEMS 128
#define STEP_OPERATIONS (2.0 * 64 * 16 * 256)
#define GROUPS_PER_UNIT 2
#define LEAST_COMPUTE 8.0

struct tensor_state {
    struct buffer sink;
    struct program *program;
    struct argument_value arguments[2];
    struct launch launch;
};

static const char *tensor_supports(const struct problem *problem, const struct device *device,
                                   const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem;
    (void)parameters;
    if (strtod(device->properties.version, NULL) >= LEAST_COMPUTE)
        return NULL;
    explain(reason, size, "needs tensor cores for bfloat16, which GPUs have from compute capability 8.0 on");
    return reason;
}

static void tensor_finish(struct run *run)
{
    struct tensor_state *state = run->state;
    if (!state)
        return;
    program_discard(state->program);
    buffer_release(&state->sink);
    free(state);
    run->state = NULL;
}

static enum status tensor_prepare(struct run *run, struct error *error)
{
    struct tensor_state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    const uint32_t units = run->device->properties.units;
    const double steps = ceil(probe_operations(run->rung, run->problem) / STEP_OPERATIONS);
    state->arguments[0] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = &state->sink}};
    state->arguments[1] = (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)steps}};
    state->launch = (struct launch){
        .entry = "tensor_peak",
        .rank = 1,
        .group = {GROUP_ITEMS, 1, 1},
        .groups = {(size_t)(units ? units : 1) * GROUPS_PER_UNIT, 1, 1},
        .arguments = state->arguments,
        .argument_count = COUNT_OF(state->arguments),
    };
    const struct embedded_file *file = embedded_find("lab/ceilings/tensor.cu");
    struct program_source source = {file->path, file->text, LANGUAGE_CUDA_C, NULL, 0};
    enum status status = buffer_allocate(run->device, sizeof(float), &state->sink, error);
    if (status == STATUS_OK)
        status = program_build(run->device, &source, &state->program, error);
    if (status != STATUS_OK)
        tensor_finish(run);
    return status;
}

static enum status tensor_enqueue(struct run *run, struct error *error)
{
    struct tensor_state *state = run->state;
    return program_launch(state->program, &state->launch, error);
}

#define PROBE(products)                                                                                               \
    [products - 1] = {                                                                                                \
        .name = "tensor-" #products,                                                                                  \
        .idea = N_("as many products of bfloat16 on tensor cores, added up in float, and nothing else: the ceiling"), \
        .kind = RUNG_VENDOR,                                                                                          \
        .takes = TAKES_ALL,                                                                                           \
        .backends = BACKEND_CUDA,                                                                                     \
        .supports = tensor_supports,                                                                                  \
        .prepare = tensor_prepare,                                                                                    \
        .finish = tensor_finish,                                                                                      \
        .enqueue = tensor_enqueue,                                                                                    \
    }

const struct rung probe_tensor[TENSOR_PRODUCTS_MAX] = {
    PROBE(1), PROBE(2), PROBE(3), PROBE(4), PROBE(5), PROBE(6), PROBE(7), PROBE(8), PROBE(9),
};
