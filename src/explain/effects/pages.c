/* Stride on a CPU: cache lines, and pages of the TLB. */
#include "explain/effects/effect_kernel.h"

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    effect_describe_two(problem, arrays);
    arrays[1].cols = 1;
    return 2;
}

struct context {
    const uint32_t *in;
    size_t count;
};

static uint64_t expected(const void *context, size_t index)
{
    const struct context *all = context;
    uint32_t sum = 0;
    (void)index;
    for (size_t i = 0; i < all->count; i++)
        sum += all->in[i];
    return sum;
}

static void check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    struct context context = {input.data[0], (size_t)problem_size(problem, "n")};
    effect_check(&arrays[1], output.data[1], expected, &context, result);
}

static struct cost cost(const struct problem *problem)
{
    double words = (double)problem_size(problem, "n");
    return (struct cost){.bytes_read = 4 * words, .bytes_written = 4, .operations = words, .read_streams = 1};
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

static const struct kernel kernel = {
    EFFECT_KERNEL("pages", rows),
    .describe = describe,
    .check = check,
    .cost = cost,
};

const struct effect effect_pages = {
    .name = "pages",
    .title = N_("stride on a CPU: cache lines and pages"),
    .lesson =
        N_("From a stride of 64 bytes on every load takes a cache line of its own, and from 4096 on a page of its "
           "own, whose address the TLB may not have. Walk arrays in the order in which they lie."),
    .axis = N_("bytes from one load to the next"),
    .parameter = "STRIDE",
    .kernel = &kernel,
    .size = 1 << 23,
};
