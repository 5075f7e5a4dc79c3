/* Private arrays: in registers, or spilled to memory. */
#include "explain/effects/effect_kernel.h"

#define STREAMS 256 /* must match registers.cl and stack.cl */
#define ROUNDS 4

static const struct ladder_row rows[] = {
    {NULL, "explain/effects/registers.cl", ""},
    {NULL, "explain/effects/stack.cl", ""},
};

struct context {
    const uint32_t *in;
    struct effect_steps steps;
};

static uint64_t expected(const void *context, size_t index)
{
    const struct context *all = context;
    uint32_t x = all->in[index], sum = 0;
    for (uint32_t stream = 0; stream < STREAMS; stream++)
        sum += (x ^ stream) * all->steps.factor + all->steps.sum;
    return sum;
}

static void check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    struct context context = {input.data[0], effect_steps_of(input.data[1], ROUNDS, 1)};
    (void)problem;
    effect_check(&arrays[2], output.data[2], expected, &context, result);
}

EFFECT_COST(2 * STREAMS * ROUNDS)

const struct effect effect_private_arrays = {
    .name = "private-arrays",
    .title = N_("local arrays that spill from registers to memory"),
    .lesson =
        N_("An item's array lies in registers only while its indices are known to the compiler and it fits; an array "
           "that is larger spills. One index that is computed at run time sends the whole array to memory."),
    .axis = N_("words of each item's array"),
    .parameter = "WORDS",
    .kernel = &(const struct kernel){EFFECT_KERNEL("private_arrays", rows), .describe = effect_describe_table,
                                     .check = check, .cost = cost},
    .size = 1 << 20,
    .size_cpu = EFFECT_SIZE_LEAST,
};
