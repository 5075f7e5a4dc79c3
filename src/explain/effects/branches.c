/* Branch prediction on a CPU. */
#include "explain/effects/effect_kernel.h"

#define PATTERN 65536

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    effect_describe_table(problem, arrays);
    arrays[1].name = "pattern";
    arrays[1].cols = PATTERN;
    arrays[2].cols = 1;
    return 3;
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
    effect_check(&arrays[2], output.data[2], expected, &context, result);
}

static struct cost cost(const struct problem *problem)
{
    double words = (double)problem_size(problem, "n");
    return (struct cost){.bytes_read = 4 * words, .bytes_written = 4, .operations = words, .read_streams = 1};
}

/* Each word is added to one of two sums, as a pattern of random bits says that repeats every PERIOD words. The empty
 * assembler texts keep the compiler from computing both sides and choosing one. */
static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const uint32_t *in = run->buffers[0].host, *pattern = run->buffers[1].host;
    size_t mask = (size_t)run_parameter(run, "PERIOD") - 1, count = (size_t)problem_size(run->problem, "n");
    uint32_t even = 0, odd = 0;
    for (size_t i = 0; i < count; i++) {
        if (pattern[i & mask] & 1) {
            odd += in[i];
            __asm__ volatile("" : "+r"(odd));
        } else {
            even += in[i];
            __asm__ volatile("" : "+r"(even));
        }
    }
    *(uint32_t *)run->buffers[2].host = even + odd;
    return STATUS_OK;
}

static const struct rung sums = {
    .name = "two-sums",
    .idea = N_("one thread adds each word to one of two sums, by random bits that repeat every PERIOD words"),
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .tunables =
        {{.name = "PERIOD", .initial = "1", .values = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536}, .value_count = 9}},
    .tunable_count = 1,
    .enqueue = enqueue,
};

static const struct ladder_row rows[] = {{&sums, NULL, ""}};

static const struct kernel kernel = {
    EFFECT_KERNEL("branches", rows),
    .describe = describe,
    .check = check,
    .cost = cost,
};

const struct effect effect_branches = {
    .name = "branches",
    .title = N_("branch prediction on a CPU"),
    .lesson =
        N_("A core learns branches that repeat, even patterns of thousands, and goes on as if it knew them. Where it "
           "cannot learn them half of its guesses are wrong, and each wrong one costs ten to twenty clocks."),
    .axis = N_("branches after which the random pattern repeats"),
    .parameter = "PERIOD",
    .kernel = &kernel,
    .size = 1 << 20,
};
