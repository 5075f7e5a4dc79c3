/* Constant memory: one word to a warp at a time. */
#include "explain/effects/effect_kernel.h"

#define WORDS 64 /* must match constant-cache.cl, as must the words */
#define ROUNDS 16

static const struct ladder_row rows[] = {{NULL, "explain/effects/constant-cache.cl", ""}};

static uint64_t expected(const void *context, size_t index)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < WORDS; k++)
        sum += k * 2654435761u + 1013904223u;
    return ((const uint32_t *)context)[index] + ROUNDS * sum;
}

EFFECT_CHECK(1, expected)
EFFECT_COST(WORDS *ROUNDS)

const struct effect effect_constant_cache = {
    .name = "constant-cache",
    .title = N_("constant memory"),
    .lesson =
        N_("The constant cache gives a warp one word at a time, to all items that read it: 32 different words take 32 "
           "reads. Keep a table whose index differs from item to item in local memory."),
    .axis = N_("different words that neighbouring items read at once"),
    .parameter = "WORDS",
    .kernel = &(const struct kernel){EFFECT_KERNEL("constant_cache", rows), .describe = effect_describe_two,
                                     .check = check, .cost = cost},
    .size = 1 << 20,
    .size_cpu = 1 << 16,
};
