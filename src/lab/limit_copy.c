#include <stdlib.h>

#include "lab/limit.h"
#include "lab/noise.h"

/* The probe's own arrays: it reads as many bytes as it writes, and together as many as the problem. */
struct copy_state {
    struct buffer source, target;
};

static void copy_finish(struct run *run)
{
    struct copy_state *state = run->state;
    if (!state)
        return;
    buffer_release(&state->source);
    buffer_release(&state->target);
    free(state);
    run->state = NULL;
}

static enum status copy_prepare(struct run *run, struct error *error)
{
    struct cost cost = run->problem->kernel->cost(run->problem);
    size_t bytes = (size_t)((cost.bytes_read + cost.bytes_written) / 2);
    struct copy_state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    enum status status = buffer_allocate(run->device, bytes, &state->source, error);
    if (status == STATUS_OK)
        status = buffer_allocate(run->device, bytes, &state->target, error);
    if (status == STATUS_OK)
        status = noise_fill(&state->source, error);
    if (status != STATUS_OK)
        copy_finish(run);
    return status;
}

static enum status copy_enqueue(struct run *run, struct error *error)
{
    struct copy_state *state = run->state;
    return buffer_copy(&state->target, 0, &state->source, 0, state->source.bytes, error);
}

const struct rung limit_copy = {
    .name = "copy",
    .idea = "the device's own copy of the same bytes: the limit",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU | BACKEND_OPENCL | BACKEND_CUDA,
    .prepare = copy_prepare,
    .finish = copy_finish,
    .enqueue = copy_enqueue,
};
