/* The host half of the rung of three float16 products. Six products of bfloat16 are launched behind it every time: only
 * the device knows the inputs' numbers. If three products suffice, the six return at once. */
#include <stdio.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/size.h"
#include "kernels/matmul/tensor_planes.h"
#include "kernels/rung_header.h"

#define TILE 128
#define GROUPS_MOST 1000 /* the number of flags in the scratch memory's header */
#define WANTED 4         /* the word that requests six products */
/* The same as in tensor_split_async.cu. */
#define SIX_ITEMS 384
#define SIX_LOCAL (768 * (TENSOR_TILE_M + TILE) + 128 + 20480)

enum { MULTIPLY_ARGUMENTS = 18 };

struct state {
    struct tensor_split split, split_six;
    struct program *three, *six;
    struct launch multiply, multiply_six;
    struct argument_value arguments[MULTIPLY_ARGUMENTS], arguments_six[MULTIPLY_ARGUMENTS];
};

static void finish(struct run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    program_discard(state->split.program);
    program_discard(state->split_six.program);
    program_discard(state->three);
    program_discard(state->six);
    free(state);
    run->state = NULL;
}

static size_t groups_of(const struct device *device)
{
    size_t units = device->properties.units;
    return units == 0 ? 1 : units < GROUPS_MOST ? units : GROUPS_MOST;
}

static enum status build_six(const struct run *run, struct program **program, struct error *error)
{
    char transa[16], transb[16];
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    snprintf(transa, sizeof transa, "TRANSA=%d", p.transa);
    snprintf(transb, sizeof transb, "TRANSB=%d", p.transb);
    const char *const defines[] = {"FALLBACK=1", "TILE_N=128", "STEPS=2", "GROUPED=8", transa, transb};
    const struct embedded_file *file = embedded_find("kernels/matmul/tensor_split_async.cu");
    struct program_source source = {file->path, file->text, LANGUAGE_CUDA_C, defines, COUNT_OF(defines)};
    return program_build(run->device, &source, program, error);
}

static enum status describe(const struct run *run, const struct tensor_planes *planes, struct state *state,
                            struct error *error)
{
    enum status status = device_rung_shape(run, &state->multiply, error);
    state->multiply.arguments = state->arguments;
    state->multiply.argument_count = 4 + tensor_product_arguments(run->problem, planes, true, &state->arguments[4]);
    state->multiply_six = (struct launch){
        .entry = "matmul",
        .rank = 1,
        .group = {SIX_ITEMS, 1, 1},
        .groups = {state->multiply.groups[0], 1, 1},
        .local_bytes = SIX_LOCAL,
        .arguments = state->arguments_six,
        .argument_count = 4 + tensor_product_arguments(run->problem, planes, false, &state->arguments_six[4]),
        .is_fallback = true,
    };
    if (state->multiply.groups[0] > 0) /* persistent groups, which share the tiles */
        state->multiply.groups[0] = groups_of(run->device);
    return status;
}

static enum status prepare(struct run *run, struct error *error)
{
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the launches");
    struct tensor_planes planes = tensor_planes_of(run->problem, TILE, TENSOR_FLOAT16, groups_of(run->device));
    enum status status = describe(run, &planes, state, error);
    if (status == STATUS_OK)
        status = tensor_split_prepare(run, &planes, TILE, TENSOR_FLOAT16, false, &state->split, error);
    if (status == STATUS_OK)
        status = tensor_split_prepare(run, &planes, TILE, TENSOR_BFLOAT16, true, &state->split_six, error);
    if (status == STATUS_OK)
        status = device_rung_build(run, &state->three, error);
    if (status == STATUS_OK)
        status = build_six(run, &state->six, error);
    if (status != STATUS_OK)
        finish(run);
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct state *state = run->state;
    for (int i = 0; i < 3; i++)
        state->arguments[i] = state->arguments_six[i] = tensor_buffer(&run->buffers[i]);
    state->arguments[3] = state->arguments_six[3] = tensor_buffer(run->scratch);
    enum status status = tensor_split_enqueue(run, &state->split, true, error);
    if (status == STATUS_OK)
        status = program_launch(state->three, &state->multiply, error);
    if (status == STATUS_OK)
        status = tensor_split_enqueue(run, &state->split_six, false, error);
    return status == STATUS_OK ? program_launch(state->six, &state->multiply_six, error) : status;
}

/* Reads a word of the scratch memory's header (tensor_fp16x3.cu: WANTED). */
static enum status fell_back(const struct run *run, bool *did, struct error *error)
{
    uint32_t wanted = 0;
    *did = false;
    if (((const struct state *)run->state)->multiply.groups[0] == 0)
        return STATUS_OK;
    enum status status = buffer_read(run->scratch, sizeof wanted * WANTED, &wanted, sizeof wanted, error);
    *did = wanted != 0;
    return status;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)parameters;
    return tensor_planes_of(problem, TILE, TENSOR_FLOAT16, groups_of(device)).bytes;
}

const struct rung matmul_tensor_fp16x3 = {
    .backends = BACKEND_CUDA,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
    .fell_back = fell_back,
};
