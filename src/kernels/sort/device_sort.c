#include "kernels/sort/device_sort.h"

#include <math.h>

void order_arguments(const struct run *run, struct argument_value arguments[ORDER_ARGUMENTS])
{
    struct key_order order = sort_key_order(run->problem);
    const uint64_t values[ORDER_ARGUMENTS] = {order.negative, order.always, order.below};
    bool wide = element_info(run->problem->type)->bytes == 8;
    for (int i = 0; i < ORDER_ARGUMENTS; i++)
        if (wide)
            arguments[i] = (struct argument_value){.kind = ARGUMENT_LONG, .long_value = (int64_t)values[i]};
        else
            arguments[i] = (struct argument_value){.kind = ARGUMENT_INT, .int_value = (int32_t)(uint32_t)values[i]};
}

struct argument_value order_most(const struct run *run)
{
    const uint64_t numbers = sort_key_order(run->problem).numbers, most = numbers ? numbers : UINT64_MAX;
    if (element_info(run->problem->type)->bytes == 8)
        return (struct argument_value){.kind = ARGUMENT_LONG, .long_value = (int64_t)most};
    return (struct argument_value){.kind = ARGUMENT_INT, .int_value = (int32_t)(uint32_t)most};
}

enum status sort_nothing(const struct run *run, struct error *error)
{
    return run->origin ? buffer_copy(&run->buffers[0], 0, run->origin, 0, run->buffers[0].bytes, error) : STATUS_OK;
}

enum status sort_launch(struct run *run, const char *entry, bool follows, size_t items,
                        const struct argument_value *arguments, size_t argument_count, struct error *error)
{
    struct launch launch = *device_rung_ready(run);
    launch.entry = entry;
    launch.follows = follows;
    launch.groups[0] = (items + launch.group[0] - 1) / launch.group[0];
    launch.arguments = arguments;
    launch.argument_count = argument_count;
    return program_launch(device_rung_program(run), &launch, error);
}

size_t network_length(size_t count, size_t least)
{
    size_t length = sort_power_of_two(count);
    return length < least ? least : length;
}

/* What the launches cost besides, in exchanges of two keys and in keys. */
#define LAUNCHES_EXCHANGES 1e5
#define LAUNCHES_KEYS 1e4

double network_load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    (void)parameters, (void)threads;
    const double length = (double)sort_power_of_two((size_t)problem_size(problem, "n")), levels = log2(length);
    return LAUNCHES_EXCHANGES + length * levels * (levels + 1) / 2;
}

double digits_load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    (void)parameters, (void)threads;
    return LAUNCHES_KEYS + (double)problem_size(problem, "n");
}
