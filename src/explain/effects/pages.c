/* Stride on a CPU: cache lines, and pages of the TLB. */
#include "explain/effects/effect_kernel.h"

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    effect_describe_two(problem, arrays);
    arrays[1].cols = 1;
    return 2;
}

/* Adds up every word once; consecutive loads are STRIDE bytes apart. */
static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const uint32_t *in = run->buffers[0].host;
    size_t stride = (size_t)run_parameter(run, "STRIDE") / sizeof *in;
    size_t count = (size_t)problem_size(run->problem, "n");
    uint32_t sum = 0;
    for (size_t first = 0; first < stride; first++)
        for (size_t i = first; i < count; i += stride)
            sum += in[i];
    *(uint32_t *)run->buffers[1].host = sum;
    return STATUS_OK;
}

static const struct rung walk = {
    .name = "walk",
    .idea = N_("one thread adds up all words, each load STRIDE bytes behind the one before"),
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .tunables = {{.name = "STRIDE", .initial = "4", .values = {4, 16, 64, 256, 1024, 4096, 16384}, .value_count = 7}},
    .tunable_count = 1,
    .enqueue = enqueue,
};

static const struct ladder_row rows[] = {{&walk, NULL, ""}};

const struct effect effect_pages = {
    .name = "pages",
    .title = N_("stride on a CPU: cache lines and pages"),
    .lesson = N_("From a stride of 64 bytes on every load takes a cache line of its own. From 4096 on it takes a page "
                 "of its own, whose address the TLB may not have. Walk arrays in the order in which they lie."),
    .axis = N_("bytes from one load to the next"),
    .parameter = "STRIDE",
    .kernel = &(const struct kernel){EFFECT_KERNEL("pages", rows), .describe = describe, .check = effect_check_sum,
                                     .cost = effect_cost_sum},
    .size = 1 << 23,
};
