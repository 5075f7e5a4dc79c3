/* The network of the recursive form, unrolled: needs a power of two. Other lengths are filled up in scratch memory with
 * the greatest key, which then stands at the end, where it is left behind. */
#include <string.h>

#include "kernels/sort/sort.h"

static FOR_EACH_WIDTH void step(void *keys, size_t count, size_t j, size_t k, size_t bytes)
{
    for (size_t i = 0; i < count; i++) {
        /* begin pair */
        size_t partner = i ^ j;
        if (partner < i)
            continue;
        bool ascending = (i & k) == 0;
        uint64_t a = word_load(keys, i, bytes), b = word_load(keys, partner, bytes);
        if ((a > b) == ascending) {
            word_store(keys, i, b, bytes);
            word_store(keys, partner, a, bytes);
        }
        /* end pair */
    }
}

static FOR_EACH_WIDTH void network(void *keys, size_t count, size_t bytes)
{
    /* begin network */
    for (size_t k = 2; k <= count; k *= 2)
        for (size_t j = k / 2; j > 0; j /= 2)
            step(keys, count, j, k, bytes);
    /* end network */
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    size_t count = (size_t)problem_size(problem, "n"), length = sort_power_of_two(count);
    return length == count ? 0 : length * element_info(problem->type)->bytes;
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sorting sorting = sorting_of(run);
    size_t length = sort_power_of_two(sorting.count);
    void *keys = sorting.scratch ? sorting.scratch : sorting.data;
    keys_from_elements(&sorting, keys, sorting.data);
    if (sorting.scratch)
        memset((char *)keys + sorting.count * sorting.bytes, 0xff, (length - sorting.count) * sorting.bytes);
    if (sorting.count > 1)
        CALL_FOR_BYTES(sorting.bytes, network, keys, length);
    elements_from_keys(&sorting, sorting.data, keys);
    return STATUS_OK;
}

const struct rung sort_bitonic = {
    .name = "bitonic",
    .idea = "the same comparisons as three loops: for k = 2, 4 … n and j = k/2 … 1, element i meets element i xor j",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .takes = "order",
    .scratch = scratch,
    .enqueue = enqueue,
};
