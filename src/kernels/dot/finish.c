/* The host half of the rungs that finish on the device: the groups' sums, then one group that adds them. */
#include <string.h>

#include "base/size.h"
#include "kernels/dot/dot.h"
#include "kernels/rung_header.h"

static enum status enqueue(struct run *run, struct error *error)
{
    const struct launch first = *device_rung_ready(run);
    struct program *program = device_rung_program(run);
    enum status status = program_launch(program, &first, error);
    if (status != STATUS_OK)
        return status;
    const struct argument_value arguments[] = {
        {.kind = ARGUMENT_BUFFER, .buffer = run->scratch},
        {.kind = ARGUMENT_BUFFER, .buffer = &run->buffers[2]},
        {.kind = ARGUMENT_LONG, .long_value = (int64_t)first.groups[0]},
    };
    struct launch second = first;
    second.entry = "finish";
    second.follows = true;
    second.groups[0] = 1;
    second.arguments = arguments;
    second.argument_count = COUNT_OF(arguments);
    return program_launch(program, &second, error);
}

/* The sums of `wide` are doubles, as the result is: a single group writes the result itself. */
static enum status enqueue_wide(struct run *run, struct error *error)
{
    const struct launch *ready = device_rung_ready(run);
    struct argument_value arguments[4];
    if (ready->groups[0] > 1 || ready->argument_count != COUNT_OF(arguments))
        return enqueue(run, error);
    struct launch only = *ready;
    memcpy(arguments, ready->arguments, sizeof arguments);
    arguments[2].buffer = &run->buffers[2];
    only.arguments = arguments;
    return program_launch(device_rung_program(run), &only, error);
}

const struct rung dot_on_device = {.enqueue = enqueue};
const struct rung dot_shuffle = {.enqueue = enqueue};
const struct rung dot_wide = {.enqueue = enqueue_wide};
