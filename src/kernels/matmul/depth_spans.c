#include "kernels/matmul/depth_spans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/argument_value.h"
#include "kernels/matmul/arrivals.h"
#include "kernels/matmul/matmul.h"
#include "kernels/rung_header.h"

enum { SCRATCH = 3, SUMS_AT, EPOCH, FIXED_ARGUMENTS = 14, ARGUMENTS_MOST = 17 };

struct state {
    struct program *program;
    struct launch launch;
    struct argument_value arguments[ARGUMENTS_MOST];
};

static void describe(const struct run *run, const struct spans_launch *spans, struct state *state)
{
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    const struct argument_value sizes[] = {argument_long(spans->sums_at),
                                           argument_long(0),
                                           argument_long(p.m),
                                           argument_long(p.n),
                                           argument_long(product_depth(&p)),
                                           argument_float(p.alpha),
                                           argument_float(p.beta),
                                           argument_long(p.lda),
                                           argument_long(p.ldb),
                                           argument_long(p.ldc)};
    memcpy(&state->arguments[SUMS_AT], sizes, sizeof sizes);
    for (size_t i = 0; i < spans->last_count; i++)
        state->arguments[FIXED_ARGUMENTS + i] = argument_long(spans->last[i]);
    state->launch = (struct launch){
        .entry = "matmul",
        .rank = 1,
        .group = {spans->items, 1, 1},
        .groups = {spans->groups, 1, 1},
        .local_bytes = spans->local_bytes,
        .arguments = state->arguments,
        .argument_count = FIXED_ARGUMENTS + spans->last_count,
    };
}

static enum status build(const struct run *run, const struct spans_launch *spans, struct program **program,
                         struct error *error)
{
    char text[SPANS_DEFINES_MOST][32];
    const char *defines[SPANS_DEFINES_MOST];
    for (size_t i = 0; i < spans->define_count; i++) {
        snprintf(text[i], sizeof text[i], "%s=%d", spans->defines[i].name, spans->defines[i].value);
        defines[i] = text[i];
    }
    const struct device_source *file = run->rung->source;
    struct program_source source = {file->path, file->text, LANGUAGE_CUDA_C, defines, spans->define_count};
    return program_build(run->device, &source, program, error);
}

enum status spans_prepare(struct run *run, const struct spans_launch *launch, struct error *error)
{
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the launches");
    describe(run, launch, state);
    enum status status = build(run, launch, &state->program, error);
    if (status != STATUS_OK)
        spans_finish(run);
    return status;
}

enum status spans_enqueue(struct run *run, struct error *error)
{
    struct state *state = run->state;
    for (int i = 0; i < SCRATCH; i++)
        state->arguments[i] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = &run->buffers[i]}};
    state->arguments[SCRATCH] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = run->scratch}};
    state->arguments[EPOCH] = (struct argument_value){ARGUMENT_LONG, {.long_value = arrivals_epoch()}};
    /* A graph replays the launch with the same epoch: there the flags of the replay before go first. */
    if (device_is_recording(run->device)) {
        const size_t flags = (size_t)state->arguments[SUMS_AT].long_value;
        const enum status status = buffer_fill(run->scratch, 0, 0, flags, error);
        if (status != STATUS_OK)
            return status;
    }
    return program_launch(state->program, &state->launch, error);
}

void spans_finish(struct run *run)
{
    struct state *state = run->state;
    if (state)
        program_discard(state->program);
    free(state);
    run->state = NULL;
}

bool spans_has_groups(const struct run *run)
{
    return ((const struct state *)run->state)->launch.groups[0] > 0;
}

int64_t spans_epoch(const struct run *run)
{
    return ((const struct state *)run->state)->arguments[EPOCH].long_value;
}
