/* False sharing: counters of different threads in one cache line. */
#include <omp.h>

#include "explain/effects/effect_kernel.h"

#define COUNTERS 8
#define SPACING_MOST 256

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    (void)problem;
    arrays[0] = (struct array){.name = "in", .direction = ARRAY_IN, .type = ELEMENT_U64, .rows = 1, .cols = COUNTERS};
    arrays[1] = (struct array){.name = "out", .direction = ARRAY_OUT, .type = ELEMENT_U64, .rows = 1, .cols = COUNTERS};
    return 2;
}

struct context {
    const uint64_t *in;
    uint64_t times;
};

static uint64_t expected(const void *context, size_t index)
{
    const struct context *all = context;
    return all->in[index] * all->times;
}

static void check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    struct context context = {input.data[0], (uint64_t)problem_size(problem, "n") / COUNTERS};
    effect_check(&arrays[1], output.data[1], expected, &context, result);
}

static struct cost cost(const struct problem *problem)
{
    return (struct cost){.bytes_read = 8 * COUNTERS,
                         .bytes_written = 8 * COUNTERS,
                         .operations = (double)problem_size(problem, "n"),
                         .read_streams = 1,
                         .write_streams = 1};
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)problem, (void)device, (void)parameters;
    return (size_t)COUNTERS * SPACING_MOST;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)device, (void)parameters, (void)reason, (void)size;
    return omp_get_max_threads() < 2 ? N_("one thread shares nothing") : NULL;
}

/* Neighbouring counters belong to different threads. volatile makes each addition a load and a store. */
static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const uint64_t *in = run->buffers[0].host;
    uint64_t *out = run->buffers[1].host;
    char *counters = run->scratch->host;
    size_t spacing = (size_t)run_parameter(run, "SPACING"), times = (size_t)problem_size(run->problem, "n") / COUNTERS;
#pragma omp parallel for schedule(static, 1)
    for (size_t i = 0; i < COUNTERS; i++) {
        volatile uint64_t *counter = (volatile uint64_t *)(counters + i * spacing);
        *counter = 0;
        for (size_t k = 0; k < times; k++)
            *counter += in[i];
    }
    for (size_t i = 0; i < COUNTERS; i++)
        out[i] = *(uint64_t *)(counters + i * spacing);
    return STATUS_OK;
}

static const struct rung counters = {
    .name = "counters",
    .idea = N_("eight counters SPACING bytes apart, neighbours added to by different threads"),
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .tunables = {{.name = "SPACING", .initial = "64", .values = {8, 16, 32, 64, 128, 256}, .value_count = 6}},
    .tunable_count = 1,
    .supports = supports,
    .scratch = scratch,
    .enqueue = enqueue,
};

static const struct ladder_row rows[] = {{&counters, NULL, ""}};

const struct effect effect_false_sharing = {
    .name = "false-sharing",
    .title = N_("false sharing of cache lines between threads"),
    .lesson =
        N_("A cache line that two cores write moves from one to the other at every turn, even if each writes a word "
           "of its own. Counters of different threads belong 64 bytes apart or more."),
    .axis = N_("bytes from one thread's counter to the next's"),
    .parameter = "SPACING",
    .kernel = &(const struct kernel){EFFECT_KERNEL("false_sharing", rows), .describe = describe, .check = check,
                                     .cost = cost},
    .size = 1 << 22,
};
