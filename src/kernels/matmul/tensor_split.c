/* The host half of the rungs that multiply on tensor cores: the floats are split into planes in the scratch memory
 * (planes.cu), and multiplied from there. */
#include <stdio.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/message.h"
#include "base/size.h"
#include "kernels/device_source.h"
#include "kernels/matmul/matmul.h"

/* As planes.cu and the multiplying kernels have it. */
#define TILE_M 128
#define BLOCK_LINES 32
#define BLOCK_DEPTH 64
#define BLOCK_ITEMS 256

enum { SPLIT_ARGUMENTS = 8, MULTIPLY_ARGUMENTS = 12 };

struct tensor_state {
    struct program *splitter, *multiplier;
    struct launch split, multiply;
    struct argument_value split_arguments[SPLIT_ARGUMENTS], multiply_arguments[MULTIPLY_ARGUMENTS];
};

static size_t divide_up(size_t value, size_t unit)
{
    return value / unit + (value % unit != 0);
}

static struct argument_value number(size_t value)
{
    return (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)value}};
}

static struct argument_value real(double value)
{
    return (struct argument_value){ARGUMENT_FLOAT, {.float_value = (float)value}};
}

static enum status build_splitter(const struct run *run, struct program **program, struct error *error)
{
    char tile_m[32], tile_n[32], transa[16], transb[16];
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    snprintf(tile_m, sizeof tile_m, "TILE_M=%d", TILE_M);
    snprintf(tile_n, sizeof tile_n, "TILE_N=%d", (int)run_parameter(run, "TILE_N"));
    snprintf(transa, sizeof transa, "TRANSA=%d", p.transa);
    snprintf(transb, sizeof transb, "TRANSB=%d", p.transb);
    const char *const defines[] = {tile_m, tile_n, transa, transb};
    const struct embedded_file *file = embedded_find("kernels/matmul/planes.cu");
    struct program_source source = {file->path, file->text, LANGUAGE_CUDA_C, defines, COUNT_OF(defines)};
    return program_build(run->device, &source, program, error);
}

/* What does not change from run to run; the buffers do. */
static enum status describe_launches(const struct run *run, struct tensor_state *state, struct error *error)
{
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    size_t depth = product_depth(&p), tile_n = (size_t)run_parameter(run, "TILE_N");
    size_t lines = divide_up(p.m, TILE_M) * TILE_M + divide_up(p.n, tile_n) * tile_n;
    const struct argument_value split[SPLIT_ARGUMENTS] = {
        [3] = number(p.m), number(p.n), number(depth), number(p.lda), number(p.ldb)};
    const struct argument_value multiply[MULTIPLY_ARGUMENTS] = {[4] = number(p.m), number(p.n),  number(depth),
                                                                real(p.alpha),     real(p.beta), number(p.lda),
                                                                number(p.ldb),     number(p.ldc)};
    for (int i = 0; i < SPLIT_ARGUMENTS; i++)
        state->split_arguments[i] = split[i];
    for (int i = 0; i < MULTIPLY_ARGUMENTS; i++)
        state->multiply_arguments[i] = multiply[i];
    state->split = (struct launch){
        .entry = "split_planes",
        .rank = 1,
        .group = {BLOCK_ITEMS, 1, 1},
        .groups = {lines / BLOCK_LINES * divide_up(depth, BLOCK_DEPTH), 1, 1},
        .arguments = state->split_arguments,
        .argument_count = SPLIT_ARGUMENTS,
    };
    enum status status = device_rung_shape(run, &state->multiply, error);
    state->multiply.arguments = state->multiply_arguments;
    state->multiply.argument_count = MULTIPLY_ARGUMENTS;
    return status;
}

static void finish(struct run *run)
{
    struct tensor_state *state = run->state;
    if (!state)
        return;
    program_discard(state->splitter);
    program_discard(state->multiplier);
    free(state);
    run->state = NULL;
}

static enum status prepare(struct run *run, struct error *error)
{
    struct tensor_state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the launches");
    enum status status = describe_launches(run, state, error);
    if (status == STATUS_OK)
        status = build_splitter(run, &state->splitter, error);
    if (status == STATUS_OK)
        status = device_rung_build(run, &state->multiplier, error);
    if (status != STATUS_OK)
        finish(run);
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct tensor_state *state = run->state;
    const struct argument_value a = {ARGUMENT_BUFFER, {.buffer = &run->buffers[0]}};
    const struct argument_value b = {ARGUMENT_BUFFER, {.buffer = &run->buffers[1]}};
    const struct argument_value c = {ARGUMENT_BUFFER, {.buffer = &run->buffers[2]}};
    const struct argument_value planes = {ARGUMENT_BUFFER, {.buffer = run->scratch}};
    state->split_arguments[0] = state->multiply_arguments[0] = a;
    state->split_arguments[1] = state->multiply_arguments[1] = b;
    state->multiply_arguments[2] = c;
    state->split_arguments[2] = state->multiply_arguments[3] = planes;
    enum status status = program_launch(state->splitter, &state->split, error);
    if (status == STATUS_OK)
        status = program_launch(state->multiplier, &state->multiply, error);
    return status;
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
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};

const struct rung matmul_tensor_split_async = {
    .backends = BACKEND_CUDA,
    .supports = supports_wgmma,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};
