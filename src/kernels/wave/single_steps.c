/* The host half of the device rungs that do one step in a launch. */
#include <string.h>

#include "kernels/rung_header.h"
#include "kernels/wave/wave.h"

/* A kernel takes its fields at any place among its arguments. In the first launch's arguments, the array `previous` is
 * before, `current` is here, and `result` is next.
 */
static void set_fields(struct argument_value *arguments, const struct launch *first, const struct run *run,
                       const struct buffer *const *fields, struct wave_turn turn)
{
    for (size_t i = 0; i < first->argument_count; i++) {
        const struct argument_value *argument = &first->arguments[i];
        const struct buffer *named = argument->kind == ARGUMENT_BUFFER ? argument->buffer : NULL;
        if (named == &run->buffers[WAVE_PREVIOUS])
            arguments[i].buffer = fields[turn.before];
        else if (named == &run->buffers[WAVE_CURRENT])
            arguments[i].buffer = fields[turn.here];
        else if (named == &run->buffers[WAVE_RESULT])
            arguments[i].buffer = fields[turn.next];
    }
}

static enum status enqueue(struct run *run, struct error *error)
{
    size_t steps = wave_grid_of(run->problem).steps;
    const struct launch *first = device_rung_ready(run);
    struct launch launch = *first;
    struct argument_value arguments[SOURCE_ARGUMENTS_MAX];
    memcpy(arguments, launch.arguments, launch.argument_count * sizeof arguments[0]);
    launch.arguments = arguments;
    const struct buffer *const fields[] = {
        [WAVE_FIELD_PREVIOUS] = &run->buffers[WAVE_PREVIOUS],
        [WAVE_FIELD_CURRENT] = &run->buffers[WAVE_CURRENT],
        [WAVE_FIELD_RESULT] = &run->buffers[WAVE_RESULT],
        [WAVE_FIELD_SCRATCH] = run->scratch,
    };
    enum status status = STATUS_OK;
    for (size_t step = 0; step < steps && status == STATUS_OK; step++) {
        set_fields(arguments, first, run, fields, wave_turn(step, steps));
        launch.follows = step > 0;
        status = program_launch(device_rung_program(run), &launch, error);
    }
    return status;
}

const struct rung wave_single_steps = {
    .scratch = wave_turn_scratch,
    .enqueue = enqueue,
};
