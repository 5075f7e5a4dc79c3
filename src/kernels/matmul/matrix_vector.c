/* The host half of the rung for few rows or columns of results: its plan and its launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "kernels/argument_value.h"
#include "kernels/matmul/arrivals.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/shape_choice.h"
#include "kernels/rung_header.h"

enum { SPREAD, SPANS, CLUSTER, WIDE }; /* indices of the file's tunables */
#define VECTOR_ITEMS 256               /* the same as in matrix_vector.cu */
enum { EPOCH = 5, ARGUMENTS = 17 };

struct state {
    struct program *program;
    struct launch launch;
    struct argument_value arguments[ARGUMENTS];
};

static struct vector_plan plan_of(const struct problem *problem, const struct device *device,
                                  const struct parameters *parameters)
{
    struct product p = product_of(problem, NULL, NULL, NULL);
    const struct vector_wish wish = {(int)parameters->values[SPREAD], (int)parameters->values[WIDE],
                                     (int)parameters->values[CLUSTER], (size_t)parameters->values[SPANS]};
    return vector_plan_of(vector_shape_of(&p, device->properties.units), wish);
}

static void describe(const struct run *run, const struct vector_plan *plan, struct state *state)
{
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    const struct argument_value rest[] = {argument_long(plan->sums_at),
                                          argument_long(0),
                                          argument_long(p.m),
                                          argument_long(p.n),
                                          argument_long(product_depth(&p)),
                                          argument_float(p.alpha),
                                          argument_float(p.beta),
                                          argument_long(p.lda),
                                          argument_long(p.ldb),
                                          argument_long(p.ldc),
                                          argument_long((size_t)plan->spread),
                                          argument_long(plan->spans),
                                          argument_long(plan->slice)};
    memcpy(&state->arguments[4], rest, sizeof rest);
    state->launch = (struct launch){
        .entry = "matmul",
        .rank = 1,
        .group = {VECTOR_ITEMS, 1, 1},
        .groups = {plan->groups, 1, 1},
        .arguments = state->arguments,
        .argument_count = ARGUMENTS,
    };
}

static void finish(struct run *run)
{
    struct state *state = run->state;
    if (state)
        program_discard(state->program);
    free(state);
    run->state = NULL;
}

static bool exceeds_cache(const struct run *run)
{
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    const struct vector_shape shape = vector_shape_of(&p, 1);
    const size_t most = run->device->properties.cache_bytes / sizeof(float);
    return shape.depth > 0 && shape.lines > most / shape.depth;
}

static enum status build(const struct run *run, const struct vector_plan *plan, struct program **program,
                         struct error *error)
{
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    const int vectors = (int)vector_shape_of(&p, 1).vectors;
    const int values[] = {plan->cluster, plan->wide, vectors, p.transa, p.transb, exceeds_cache(run)};
    static const char *const names[] = {"CLUSTER", "WIDE", "VECTORS", "TRANSA", "TRANSB", "PAST_CACHES"};
    char text[COUNT_OF(names)][32];
    const char *defines[COUNT_OF(names)];
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(text[i], sizeof text[i], "%s=%d", names[i], values[i]);
        defines[i] = text[i];
    }
    const struct device_source *file = run->rung->source;
    struct program_source source = {file->path, file->text, LANGUAGE_CUDA_C, defines, COUNT_OF(names)};
    return program_build(run->device, &source, program, error);
}

static enum status prepare(struct run *run, struct error *error)
{
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the launches");
    struct vector_plan plan = plan_of(run->problem, run->device, &run->parameters);
    describe(run, &plan, state);
    snprintf(run->detail, sizeof run->detail, "depth in %d x %d x %zu", plan.spread, plan.cluster, plan.spans);
    enum status status = build(run, &plan, &state->program, error);
    if (status != STATUS_OK)
        finish(run);
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct state *state = run->state;
    for (int i = 0; i < 3; i++)
        state->arguments[i] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = &run->buffers[i]}};
    state->arguments[3] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = run->scratch}};
    state->arguments[EPOCH] = (struct argument_value){ARGUMENT_LONG, {.long_value = arrivals_epoch()}};
    return program_launch(state->program, &state->launch, error);
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    return plan_of(problem, device, parameters).bytes;
}

const struct rung matmul_matrix_vector = {
    .backends = BACKEND_CUDA,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};
