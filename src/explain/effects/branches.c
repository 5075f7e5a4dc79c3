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

/* A random bit pattern with a period of PERIOD words selects one of two sums for each word. The empty asm statements
 * stop the compiler from computing both sums and selecting one. */
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

const struct effect effect_branches = {
    .name = "branches",
    .title = N_("branch prediction on a CPU"),
    .lesson =
        N_("A core learns branches that repeat, even patterns of thousands, and goes on as if it knew them. Where it "
           "cannot learn them half of its guesses are wrong, and each wrong one costs ten to twenty clocks."),
    .axis = N_("branches after which the random pattern repeats"),
    .parameter = "PERIOD",
    .kernel = &(const struct kernel){EFFECT_KERNEL("branches", rows), .learns_branches = true, .describe = describe,
                                     .check = effect_check_sum, .cost = effect_cost_sum},
    .size = 1 << 20,
};
