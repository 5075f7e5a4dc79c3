/* The loops over k and j; each pass through the inner one is a launch. */
#include "kernels/sort/device_sort.h"

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    size_t count = (size_t)problem_size(problem, "n"), length = sort_power_of_two(count);
    return length == count ? 0 : length * element_info(problem->type)->bytes;
}

static enum status steps(struct run *run, const struct buffer *keys, size_t length, struct error *error)
{
    struct argument_value arguments[] = {argument_buffer(keys), {0}, {0}, {0}, argument_long(length), {0}, {0}};
    enum status status = STATUS_OK;
    order_arguments(run, arguments + 1);
    for (size_t k = 2; k <= length; k *= 2)
        for (size_t j = k / 2; j > 0 && status == STATUS_OK; j /= 2) {
            arguments[5] = argument_long(j);
            arguments[6] = argument_long(k);
            status = sort_launch(run, "exchange", false, length, arguments, COUNT_OF(arguments), error);
        }
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    size_t count = run->arrays[0].cols, length = sort_power_of_two(count);
    if (count < 2)
        return STATUS_OK;
    if (length == count)
        return steps(run, &run->buffers[0], length, error);
    struct argument_value arguments[] = {argument_buffer(&run->buffers[0]),
                                         argument_buffer(run->scratch),
                                         {0},
                                         {0},
                                         {0},
                                         argument_long(count),
                                         argument_long(length)};
    order_arguments(run, arguments + 2);
    enum status status = sort_launch(run, "fill_up", false, length, arguments, COUNT_OF(arguments), error);
    if (status == STATUS_OK)
        status = steps(run, run->scratch, length, error);
    if (status == STATUS_OK)
        status = buffer_copy(&run->buffers[0], 0, run->scratch, 0, run->arrays[0].bytes, error);
    return status;
}

const struct rung sort_bitonic_step = {
    .scratch = scratch,
    .load = network_load,
    .enqueue = enqueue,
};
