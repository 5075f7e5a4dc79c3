#include "lab/limit.h"

#include <stdlib.h>

#include "base/random.h"

/* The probe's own arrays: it reads as many bytes as it writes, and together as many as the problem. */
struct copy_state {
    struct buffer source, target;
};

/* Noise, so that nothing between here and the memory can compress it: 1 MiB from the generator, doubled on the device.
 */
static enum status fill_noise(const struct buffer *buffer, struct error *error)
{
    static unsigned char noise[1 << 20];
    struct random random;
    random_seed(&random, 4357);
    random_bytes(&random, noise, sizeof noise);
    size_t filled = buffer->bytes < sizeof noise ? buffer->bytes : sizeof noise;
    enum status status = buffer_write(buffer, 0, noise, filled, error);
    while (status == STATUS_OK && filled < buffer->bytes) {
        size_t bytes = buffer->bytes - filled < filled ? buffer->bytes - filled : filled;
        status = buffer_copy(buffer, filled, buffer, 0, bytes, error);
        filled += bytes;
    }
    return status;
}

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
        status = fill_noise(&state->source, error);
    if (status != STATUS_OK)
        copy_finish(run);
    return status;
}

static enum status copy_enqueue(struct run *run, struct error *error)
{
    struct copy_state *state = run->state;
    return buffer_copy(&state->target, 0, &state->source, 0, state->source.bytes, error);
}

static const struct rung limit_copy = {
    .name = "copy",
    .idea = "the device's own copy of the same bytes: the limit",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU | BACKEND_OPENCL | BACKEND_CUDA,
    .prepare = copy_prepare,
    .finish = copy_finish,
    .enqueue = copy_enqueue,
};

const struct rung *limit_rung(const struct problem *problem, const struct device *device)
{
    struct cost cost = problem->kernel->cost(problem);
    if (device_is_null(device) || cost.bytes_read + cost.bytes_written < 2)
        return NULL;
    return &limit_copy;
}
