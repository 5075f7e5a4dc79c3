/* Atomic operations in local memory by contention. */
#include "explain/effects/effect_kernel.h"

#define GROUP_ITEMS 1024 /* must match atomics.cl */
#define ADDITIONS 64

static const struct ladder_row rows[] = {{NULL, "explain/effects/atomics.cl", ""}};

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    effect_describe_two(problem, arrays);
    arrays[1].cols /= GROUP_ITEMS;
    return 2;
}

static uint64_t expected(const void *context, size_t index)
{
    const uint32_t *in = (const uint32_t *)context + index * GROUP_ITEMS;
    uint32_t sum = 0;
    for (size_t item = 0; item < GROUP_ITEMS; item++)
        for (uint32_t k = 0; k < ADDITIONS; k++)
            sum += in[item] ^ k;
    return sum;
}

EFFECT_CHECK(1, expected)

static struct cost cost(const struct problem *problem)
{
    double words = (double)problem_size(problem, "n");
    return (struct cost){.bytes_read = 4 * words,
                         .bytes_written = 4 * words / GROUP_ITEMS,
                         .operations = words * ADDITIONS,
                         .read_streams = 1,
                         .write_streams = 1};
}

const struct effect effect_atomics = {
    .name = "atomics",
    .title = N_("atomic additions in local memory by contention"),
    .lesson =
        N_("Additions to one counter are done one after another, so a warp whose items share a counter waits for all "
           "of them. Private counters, added up at the end, or a tree of sums avoid the contention."),
    .axis = N_("items of a group of 1024 that add to the same counter"),
    .parameter = "CONTENTION",
    .kernel =
        &(const struct kernel){EFFECT_KERNEL("atomics", rows), .describe = describe, .check = check, .cost = cost},
    .size = 1 << 22,
    .size_cpu = 1 << 16,
};
