/* The host half of the rung of one launch for any shape: its plan and its launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "kernels/argument_value.h"
#include "kernels/matmul/arrivals.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/shape_choice.h"
#include "kernels/rung_header.h"

enum { TILE, CLUSTER, SPANS }; /* indices of the file's tunables */
enum { EPOCH = 5, ARGUMENTS = 16 };

struct state {
    struct program *program;
    struct launch launch;
    struct argument_value arguments[ARGUMENTS];
};

static struct fused_plan plan_of(const struct problem *problem, const struct device *device,
                                 const struct parameters *parameters)
{
    struct product p = product_of(problem, NULL, NULL, NULL);
    const struct fused_wish wish = {(int)parameters->values[TILE], (int)parameters->values[CLUSTER],
                                    (size_t)parameters->values[SPANS]};
    return fused_plan_of(&p, device->properties.units, wish);
}

static void describe(const struct run *run, const struct fused_plan *plan, struct state *state)
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
                                          argument_long(plan->spans),
                                          argument_long(plan->slice)};
    memcpy(&state->arguments[4], rest, sizeof rest);
    state->launch = (struct launch){
        .entry = "matmul",
        .rank = 1,
        .group = {plan->items, 1, 1},
        .groups = {plan->groups, 1, 1},
        .local_bytes = plan->local_bytes,
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

/* Whether some rows do not begin at multiples of 16 bytes. */
static bool is_shifted(const struct product *p)
{
    return p->lda % 4 != 0 || p->ldb % 4 != 0;
}

static enum status build(const struct run *run, const struct fused_plan *plan, struct program **program,
                         struct error *error)
{
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    const int values[] = {plan->tile,     plan->cluster,       p.transa,   p.transb,
                          is_shifted(&p), (int)plan->fetchers, p.batch > 1};
    static const char *const names[] = {"TILE", "CLUSTER", "TRANSA", "TRANSB", "SHIFTED", "FETCHERS", "BATCH"};
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
    struct fused_plan plan = plan_of(run->problem, run->device, &run->parameters);
    describe(run, &plan, state);
    snprintf(run->detail, sizeof run->detail, "tiles of %zu x %zu, depth in %d x %zu", plan.tile_m, plan.tile_n,
             plan.cluster, plan.spans);
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

/* The scratch memory begins with the number of the last launch that recomputed results (tensor_fused.cu). */
static enum status fell_back(const struct run *run, bool *did, struct error *error)
{
    const struct state *state = run->state;
    int64_t epoch = 0;
    *did = false;
    if (state->launch.groups[0] == 0)
        return STATUS_OK;
    enum status status = buffer_read(run->scratch, 0, &epoch, sizeof epoch, error);
    *did = epoch == state->arguments[EPOCH].long_value;
    return status;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    return plan_of(problem, device, parameters).bytes;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)parameters;
    int major = 0, minor = 0;
    if (sscanf(device->properties.version, "%d.%d", &major, &minor) == 2 && major * 10 + minor == 90)
        return NULL;
    explain(reason, size, "needs wgmma, which only GPUs of compute capability 9.0 (Hopper) have");
    return reason;
}

const struct rung matmul_tensor_fused = {
    .backends = BACKEND_CUDA,
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
    .fell_back = fell_back,
};
