/* The launches: clear the counts, count the digits of the key and of the place, take what is not behind the last of the
 * first ones, sort it. */
#include "base/message.h"
#include "kernels/sort/device_sort.h"

#define DIGITS 2048
#define PLACE_PASSES 3
#define TOP_MAX 2048

static size_t passes_of(const struct problem *problem)
{
    return (8 * element_info(problem->type)->bytes + 10) / 11 + PLACE_PASSES;
}

/* Scratch memory: the program's words, then its keys. */
static size_t keys_at(const struct problem *problem)
{
    const size_t passes = passes_of(problem), words = passes * DIGITS + 3 * (passes + 1) + 1 + TOP_MAX;
    return (words * sizeof(uint32_t) + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

static size_t keys_bytes(const struct problem *problem)
{
    return (passes_of(problem) + 1 + TOP_MAX) * element_info(problem->type)->bytes;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return keys_at(problem) + keys_bytes(problem);
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    return sort_is_argsort(problem) && sort_top(problem) <= TOP_MAX
               ? NULL
               : explain(reason, size, "makes the first indices of an order: at most 2048");
}

/* Groups as the header has them. */
static size_t items_of(const struct run *run)
{
    const size_t group = (size_t)run_parameter(run, "GROUP"), most = (size_t)run_parameter(run, "GROUPS");
    const size_t tile = group * (size_t)run_parameter(run, "ITEMS"), tiles = (run->arrays[0].cols + tile - 1) / tile;
    return (tiles < most ? tiles : most) * group;
}

static enum status look_through(struct run *run, const struct buffer *words, const struct buffer *keys,
                                struct error *error)
{
    const size_t passes = passes_of(run->problem), top = sort_top(run->problem), items = items_of(run);
    struct argument_value arguments[] = {argument_buffer(&run->buffers[0]),
                                         argument_buffer(words),
                                         argument_buffer(keys),
                                         {0},
                                         {0},
                                         {0},
                                         order_most(run),
                                         argument_long(run->arrays[0].cols),
                                         {0},
                                         argument_int(top)};
    enum status status = buffer_fill(words, 0, 0, words->bytes, error);
    order_arguments(run, arguments + 3);
    for (size_t pass = 0; pass < passes && status == STATUS_OK; pass++) {
        arguments[8] = argument_int(pass);
        status = sort_launch(run, "count", false, items, arguments, COUNT_OF(arguments), error);
    }
    arguments[8] = arguments[9];
    if (status == STATUS_OK)
        status = sort_launch(run, "take", false, items, arguments, COUNT_OF(arguments) - 1, error);
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct buffer words = {0}, keys = {0};
    const size_t at = keys_at(run->problem), top = sort_top(run->problem);
    if (run->arrays[0].cols == 0)
        return STATUS_OK;
    enum status status = buffer_view(run->scratch, 0, at, &words, error);
    if (status == STATUS_OK)
        status = buffer_view(run->scratch, at, keys_bytes(run->problem), &keys, error);
    if (status == STATUS_OK)
        status = look_through(run, &words, &keys, error);
    struct argument_value arguments[] = {argument_buffer(&words), argument_buffer(&keys),
                                         argument_buffer(&run->buffers[1]), argument_int(top),
                                         argument_int(network_length(top, 2))};
    if (status == STATUS_OK)
        status = sort_launch(run, "finish", false, 1, arguments, COUNT_OF(arguments), error);
    buffer_release(&keys);
    buffer_release(&words);
    return status;
}

const struct rung sort_select = {.supports = supports, .scratch = scratch, .load = digits_load, .enqueue = enqueue};
