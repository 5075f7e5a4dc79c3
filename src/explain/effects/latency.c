/* What a load takes: a chain of loads, each waiting for the one before, through memory of growing size. */
#include "base/worth_threads.h"
#include "explain/effects/effect_kernel.h"

#define GROUPS 512 /* must match latency.cl, as must the steps */
#define STEPS 8192 /* of one chain */
#define STEPS_CPU (1 << 20)
#define FACTOR 1664525u
#define TERM 1013904223u

/* in[GROUPS], chain[n], out[GROUPS]. */
static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    effect_describe_table(problem, arrays);
    arrays[1].name = "chain";
    arrays[1].cols = arrays[0].cols;
    arrays[0].cols = arrays[2].cols = GROUPS;
    return 3;
}

/* chain[i] is the number behind i in a linear congruential sequence, whose low k bits run through all of their values:
 * so a chain that stays in the first 2^k words comes to each of them. */
static void fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    uint32_t *chain = host.data[1];
    const size_t count = (size_t)problem_size(problem, "n");
    host.data[1] = NULL;
    effect_fill(problem, arrays, host);
#pragma omp parallel for schedule(static) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++)
        chain[i] = (uint32_t)i * FACTOR + TERM;
}

EFFECT_CHECK(2, effect_incremented)

static struct cost cost(const struct problem *problem)
{
    (void)problem;
    return (struct cost){.bytes_read = 4.0 * GROUPS,
                         .bytes_written = 4.0 * GROUPS,
                         .operations = (double)GROUPS * STEPS,
                         .read_streams = 1,
                         .write_streams = 1};
}

/* One chain, of so many steps that a farther cache does not hold what they come to. */
static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const uint32_t *in = run->buffers[0].host, *chain = run->buffers[1].host;
    uint32_t *out = run->buffers[2].host;
    uint32_t words = (uint32_t)problem_size(run->problem, "n"), kept = (uint32_t)run_parameter(run, "KIB") * 256;
    const uint32_t mask = (kept < words ? kept : words) - 1;
    const volatile uint32_t nothing = 0;
    uint32_t at = 0;
    for (int step = 0; step < STEPS_CPU; step++)
        at = chain[at] & mask;
    for (size_t i = 0; i < GROUPS; i++)
        out[i] = in[i] + 1 + (at & nothing);
    return STATUS_OK;
}

static const struct rung thread = {
    .name = "thread",
    .idea = N_("one thread follows a chain of indices through KIB KiB"),
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .tunables =
        {{.name = "KIB", .initial = "16", .values = {16, 64, 256, 1024, 4096, 16384, 65536, 262144}, .value_count = 8}},
    .tunable_count = 1,
    .enqueue = enqueue,
};

static const struct ladder_row rows[] = {
    {NULL, "explain/effects/latency.cl", ""}, {NULL, "explain/effects/latency-local.cl", ""}, {&thread, NULL, ""}};

const struct effect effect_latency = {
    .name = "latency",
    .title = N_("the latency of each level of memory"),
    .lesson = N_("A chain of loads shows the latency of the level that holds it: L1, L2, then device memory, and local "
                 "memory beside them. A GPU hides it by other warps, a CPU by prefetching what lies in a row."),
    .axis = N_("KiB that the chain runs through"),
    .parameter = "KIB",
    .kernel = &(const struct kernel){EFFECT_KERNEL_FILLED("latency", effect_words, rows, fill), .describe = describe,
                                     .check = check, .cost = cost},
    .size = 1 << 26,
    .size_cpu = 1 << 20,
    .steps = STEPS,
    .steps_cpu = STEPS_CPU,
    .is_not_predicted = true,
};
