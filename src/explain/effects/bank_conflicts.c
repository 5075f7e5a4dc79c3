/* Bank conflicts by stride. */
#include "explain/effects/effect_kernel.h"

#define GROUP_WORDS 1024 /* must match bank-conflicts.cl */
#define GROUP_ITEMS 256
#define ROUNDS 8
#define READS 32

static const struct ladder_row rows[] = {{NULL, "explain/effects/bank-conflicts.cl", ""}};

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    effect_describe_two(problem, arrays);
    arrays[1].cols /= GROUP_WORDS / GROUP_ITEMS;
    return 2;
}

static uint64_t expected(const void *context, size_t index)
{
    const uint32_t *in = (const uint32_t *)context + index / GROUP_ITEMS * GROUP_WORDS;
    size_t item = index % GROUP_ITEMS;
    uint32_t sum = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t k = 0; k < READS; k++)
            sum = sum * 3 + in[item ^ (k * 32)];
    return sum;
}

EFFECT_CHECK(1, expected)

static struct cost cost(const struct problem *problem)
{
    double words = (double)problem_size(problem, "n");
    return (struct cost){.bytes_read = 4 * words,
                         .bytes_written = words,
                         .operations = 2 * words / 4 * ROUNDS * READS,
                         .read_streams = 1,
                         .write_streams = 1};
}

const struct effect effect_bank_conflicts = {
    .name = "bank-conflicts",
    .title = N_("bank conflicts in local memory"),
    .lesson = N_("Local memory has 32 banks of 4 bytes (before Fermi 16, in Kepler 8 bytes wide). Words of different "
                 "banks come to a warp at once, words of one bank one after another. With banks of 4 bytes a stride of "
                 "2 takes two passes, one of 32 takes 32; an odd stride takes one."),
    .axis = N_("words from one item's word to its neighbour's"),
    .parameter = "STRIDE",
    .kernel = &(const struct kernel){EFFECT_KERNEL("bank_conflicts", rows), .describe = describe, .check = check,
                                     .cost = cost},
    .size = 1 << 22,
    .size_cpu = 1 << 18,
};
