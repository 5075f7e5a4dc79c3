/* The host half of texture.cl: a texture that shows the source. Loading it is a part of the run: where the device has
 * to copy the pixels into a layout of its own first, the copy is on the clock. */
#include <stdlib.h>

#include "kernels/resize/resize.h"
#include "kernels/rung_header.h"

/* Begins with the state of a plain device rung's launches, which are made by device_rung_prepare. */
struct state {
    void *launches;
    struct texture *texture;
};

static enum status prepare(struct run *run, struct error *error)
{
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    enum status status = texture_create(run->device, (size_t)problem_size(run->problem, "width"),
                                        (size_t)problem_size(run->problem, "height"), &state->texture, error);
    if (status == STATUS_OK)
        status = device_rung_prepare(run, error);
    if (status != STATUS_OK) {
        texture_destroy(state->texture);
        free(state);
        return status;
    }
    state->launches = run->state;
    run->state = state;
    return STATUS_OK;
}

static void finish(struct run *run)
{
    struct state *state = run->state;
    run->state = state->launches;
    device_rung_finish(run);
    texture_destroy(state->texture);
    free(state);
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct state *state = run->state;
    struct run plain = *run;
    plain.state = state->launches;
    enum status status = texture_load(state->texture, &run->buffers[0], error);
    if (status != STATUS_OK)
        return status;
    struct launch launch = *device_rung_ready(&plain);
    struct argument_value arguments[SOURCE_ARGUMENTS_MAX];
    for (size_t i = 0; i < launch.argument_count; i++)
        arguments[i] = launch.arguments[i];
    arguments[0] = (struct argument_value){.kind = ARGUMENT_TEXTURE, {.texture = state->texture}};
    launch.arguments = arguments;
    return program_launch(device_rung_program(&plain), &launch, error);
}

const struct rung resize_texture = {.prepare = prepare, .finish = finish, .enqueue = enqueue};
