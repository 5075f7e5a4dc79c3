#include "kernels/sort/bitonic_blocks.h"

/* A run and its network. */
struct network {
    const struct bitonic_blocks *blocks;
    struct run *run;
    const struct buffer *data, *keys;
    size_t count, length, block;
};

size_t bitonic_blocks_scratch(const struct bitonic_blocks *blocks, const struct problem *problem, size_t group)
{
    size_t count = (size_t)problem_size(problem, "n"), length = network_length(count, group * blocks->per_item);
    const bool is_in_place = length == count || length == group * blocks->per_item;
    return is_in_place ? 0 : length * element_info(problem->type)->bytes;
}

static enum status sort_blocks(const struct network *network, struct error *error)
{
    struct argument_value arguments[] = {argument_buffer(sort_source(network->run)),
                                         argument_buffer(network->keys),
                                         {0},
                                         {0},
                                         {0},
                                         argument_long(network->count)};
    order_arguments(network->run, arguments + 2);
    return sort_launch(network->run, "sort_blocks", false, network->length / network->blocks->per_item, arguments,
                       COUNT_OF(arguments), error);
}

/* The steps of k with j from k / 2 down to a block. */
static enum status steps(const struct network *network, size_t k, struct error *error)
{
    const struct bitonic_blocks *blocks = network->blocks;
    enum status status = STATUS_OK;
    for (size_t j = k / 2; j >= network->block && status == STATUS_OK;) {
        size_t steps = 0, from = j;
        for (; steps < blocks->steps && j >= network->block; steps++)
            j /= 2;
        struct argument_value arguments[] = {argument_buffer(network->keys),
                                             argument_long(from),
                                             argument_long(k),
                                             {.kind = ARGUMENT_INT, .int_value = (int32_t)steps}};
        status = sort_launch(network->run, "exchange", true, network->length / blocks->step_per_item, arguments,
                             blocks->steps > 1 ? 4 : 3, error);
    }
    return status;
}

/* The last one turns keys into elements; between keys the order's arguments are 0, so that nothing changes. */
static enum status merge_blocks(const struct network *network, size_t k, struct error *error)
{
    bool last = k == network->length;
    struct argument_value arguments[] = {argument_buffer(network->keys),
                                         argument_buffer(last ? network->data : network->keys),
                                         {0},
                                         {0},
                                         {0},
                                         argument_long(last ? network->count : network->length),
                                         argument_long(k)};
    order_arguments(network->run, arguments + 2);
    for (int i = 2; i < 2 + ORDER_ARGUMENTS && !last; i++)
        arguments[i].long_value = 0;
    return sort_launch(network->run, "merge_blocks", true, network->length / network->blocks->per_item, arguments,
                       COUNT_OF(arguments), error);
}

enum status bitonic_blocks_enqueue(const struct bitonic_blocks *blocks, struct run *run, struct error *error)
{
    struct network network = {
        .blocks = blocks,
        .run = run,
        .data = &run->buffers[0],
        .keys = run->scratch ? run->scratch : &run->buffers[0],
        .count = run->arrays[0].cols,
        .block = (size_t)run_parameter(run, "GROUP") * blocks->per_item,
    };
    if (network.count < 2)
        return sort_nothing(run, error);
    network.length = network_length(network.count, network.block);
    enum status status = sort_blocks(&network, error);
    /* A single block has become elements again, sorted. */
    for (size_t k = 2 * network.block; k <= network.length && status == STATUS_OK; k *= 2) {
        status = steps(&network, k, error);
        if (status == STATUS_OK)
            status = merge_blocks(&network, k, error);
    }
    return status;
}
