/* The host half of the device rungs that do one step in a launch. */
#include <string.h>

#include "base/size.h"
#include "kernels/rung_header.h"
#include "kernels/wave/wave.h"

/* The kernel functions' arguments begin with before, here and next. */
static enum status enqueue(struct run *run, struct error *error)
{
    size_t steps = wave_grid_of(run->problem).steps;
    struct launch launch = *device_rung_ready(run);
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
        struct wave_turn turn = wave_turn(step, steps);
        arguments[0].buffer = fields[turn.before];
        arguments[1].buffer = fields[turn.here];
        arguments[2].buffer = fields[turn.next];
        status = program_launch(device_rung_program(run), &launch, error);
    }
    return status;
}

const struct rung wave_single_steps = {
    .scratch = wave_turn_scratch,
    .enqueue = enqueue,
};
