/* The host half of the device rungs that do two steps in a launch: fields go from pass to pass in pairs (after its
 * first step, after its second) that lie in scratch memory; the last pass leaves the result alone. */
#include <string.h>

#include "kernels/rung_header.h"
#include "kernels/wave/wave.h"

/* With two passes one pair is between them; with more, one is read while the other is written. */
static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    struct wave_grid grid = wave_grid_of(problem);
    size_t passes = grid.steps / 2, pairs = passes > 2 ? 2 : passes - 1;
    return passes ? pairs * 2 * grid.nx * grid.ny * grid.nz * element_info(problem->type)->bytes : 0;
}

/* The kernel function's arguments begin with four fields, each a buffer and where in it the field begins: before, here,
 * after the first step, after the second; and whether the third is wanted. */
enum { BEFORE, HERE, FIRST, SECOND, FIELDS };
#define WANTED ((size_t)2 * FIELDS)

static void set_field(struct argument_value *arguments, size_t field, const struct buffer *buffer, size_t offset)
{
    arguments[2 * field].buffer = buffer;
    arguments[2 * field + 1].long_value = (int64_t)offset;
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct wave_grid grid = wave_grid_of(run->problem);
    size_t points = grid.nx * grid.ny * grid.nz, passes = grid.steps / 2;
    const struct buffer *result = &run->buffers[WAVE_RESULT];
    struct launch launch = *device_rung_ready(run);
    struct argument_value arguments[SOURCE_ARGUMENTS_MAX];
    memcpy(arguments, launch.arguments, launch.argument_count * sizeof arguments[0]);
    launch.arguments = arguments;
    set_field(arguments, BEFORE, &run->buffers[WAVE_PREVIOUS], 0);
    set_field(arguments, HERE, &run->buffers[WAVE_CURRENT], 0);
    enum status status = STATUS_OK;
    for (size_t pass = 0; pass < passes && status == STATUS_OK; pass++) {
        bool is_last = pass + 1 == passes;
        size_t pair = pass % 2 * 2 * points;
        set_field(arguments, FIRST, is_last ? result : run->scratch, is_last ? 0 : pair);
        set_field(arguments, SECOND, is_last ? result : run->scratch, is_last ? 0 : pair + points);
        arguments[WANTED].int_value = !is_last;
        launch.follows = pass > 0;
        status = program_launch(device_rung_program(run), &launch, error);
        memcpy(arguments, arguments + (size_t)2 * FIRST, 4 * sizeof arguments[0]);
    }
    return status;
}

const struct rung wave_double_steps = {
    .fuses = true,
    .scratch = scratch,
    .enqueue = enqueue,
};
