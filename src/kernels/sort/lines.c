/* Many lines, each sorted for itself by the rung that sorts one: several at once, each on one thread; or, where there
 * are few and long ones, one after another. Lines that lie side by side are gathered, some neighbours at a time, so
 * that every line of the caches is used whole. */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/message.h"
#include "base/pool.h"
#include "base/size.h"
#include "kernels/prepared_run.h"
#include "kernels/sort/sort.h"

#define TOGETHER 16         /* lines gathered at a time */
#define LONG_LINE 65536     /* elements: worth several threads */
#define THREAD_KEYS 16384.0 /* below which another thread costs more time than it saves */
#define ALIGNMENT 64

extern const struct rung sort_simd, sort_radix, sort_counting, sort_pairs;

/* The rung of one line. */
static const struct rung *inner_rung(const struct problem *one, const struct device *device)
{
    const struct parameters none = {{0}};
    char reason[128];
    if (sort_value_bytes(one))
        return &sort_pairs;
    if (element_info(one->type)->bytes <= 2)
        return &sort_counting;
    return sort_simd.supports(one, device, &none, reason, sizeof reason) ? &sort_radix : &sort_simd;
}

static size_t round_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* A thread's memory: scratch of the inner rung, then the gathered elements and their values. */
struct room {
    size_t scratch, keys, values, all;
};

static struct room room_of(const struct problem *problem, const struct problem *one, const struct device *device)
{
    const struct parameters none = {{0}};
    const struct rung *inner = inner_rung(one, device);
    const size_t n = (size_t)one->values[SORT_N].size;
    const size_t gathered = problem->values[SORT_STRIDE].size > 1 ? TOGETHER : 0;
    struct room room = {.scratch = inner->scratch ? round_up(inner->scratch(one, device, &none)) : 0,
                        .keys = round_up(gathered * n * element_info(one->type)->bytes),
                        .values = round_up(gathered * n * sort_value_bytes(one))};
    room.all = room.scratch + room.keys + room.values + ALIGNMENT;
    return room;
}

static bool are_long(const struct problem *problem)
{
    return problem->values[SORT_N].size >= LONG_LINE && sort_line_count(problem) < pool_threads();
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)parameters;
    const struct problem one = sort_one_line(problem);
    return room_of(problem, &one, device).all * (are_long(problem) ? 1 : pool_threads());
}

struct job {
    struct run *run;
    const struct rung *inner;
    struct problem one;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct room room;
    size_t n, stride, groups; /* groups of neighbours among the lines that lie side by side */
    size_t key_bytes, value_bytes;
};

/* Element i of `lines` neighbours: from the array to lines of their own, or back. */
static void move(const struct job *job, char *array, char *own, size_t lines, size_t bytes, bool to_own)
{
    for (size_t i = 0; i < job->n; i++)
        for (size_t line = 0; line < lines; line++) {
            char *here = array + (i * job->stride + line) * bytes, *there = own + (line * job->n + i) * bytes;
            memcpy(to_own ? there : here, to_own ? here : there, bytes);
        }
}

/* Line `line` of the batch, whose elements are at `keys` and `values`. */
static void sort_line(const struct job *job, size_t line, char *keys, char *values, char *memory)
{
    const size_t bytes = job->n * job->key_bytes;
    struct buffer buffers[2], scratch;
    struct error error;
    void *second = sort_is_unique(&job->one) ? (uint64_t *)job->run->buffers[1].host + line : (void *)values;
    cpu_wrap(job->run->device, keys, bytes, &buffers[0]);
    cpu_wrap(job->run->device, second, job->n * job->value_bytes, &buffers[1]);
    cpu_wrap(job->run->device, memory, job->room.scratch, &scratch);
    struct prepared_run prepared = {.run = {.rung = job->inner,
                                            .problem = &job->one,
                                            .device = job->run->device,
                                            .arrays = job->arrays,
                                            .array_count = job->array_count,
                                            .buffers = buffers,
                                            .scratch = job->room.scratch ? &scratch : NULL}};
    prepared_run_enqueue(&prepared, &error); /* rungs of the cpu do not fail */
}

/* Group `index % groups` of the neighbours of batch `index / groups`. */
static void sort_group(void *context, size_t index, size_t thread)
{
    const struct job *job = context;
    const size_t batch = index / job->groups, first = index % job->groups * TOGETHER;
    const size_t lines = size_least(TOGETHER, job->stride - first), begin = batch * job->n * job->stride + first;
    char *memory = (char *)job->run->scratch->host + thread * job->room.all;
    memory += (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    char *keys = memory + job->room.scratch, *values = keys + job->room.keys;
    char *all_keys = (char *)job->run->buffers[0].host + begin * job->key_bytes;
    char *all_values = job->value_bytes ? (char *)job->run->buffers[1].host + begin * job->value_bytes : NULL;
    if (job->stride == 1) {
        sort_line(job, batch, all_keys, all_values, memory);
        return;
    }
    move(job, all_keys, keys, lines, job->key_bytes, true);
    if (job->value_bytes && !sort_is_argsort(&job->one))
        move(job, all_values, values, lines, job->value_bytes, true);
    for (size_t line = 0; line < lines; line++)
        sort_line(job, batch * job->stride + first + line, keys + line * job->n * job->key_bytes,
                  values + line * job->n * job->value_bytes, memory);
    if (!sort_is_argsort(&job->one))
        move(job, all_keys, keys, lines, job->key_bytes, false);
    if (job->value_bytes)
        move(job, all_values, values, lines, job->value_bytes, false);
}

static enum status enqueue(struct run *run, struct error *error)
{
    const struct problem *problem = run->problem;
    struct job job = {.run = run,
                      .one = sort_one_line(problem),
                      .n = (size_t)problem->values[SORT_N].size,
                      .stride = (size_t)problem->values[SORT_STRIDE].size,
                      .key_bytes = element_info(problem->type)->bytes,
                      .value_bytes = sort_value_bytes(problem)};
    enum status status = kernel_describe(&job.one, job.arrays, &job.array_count, error);
    if (status != STATUS_OK)
        return status;
    job.inner = inner_rung(&job.one, run->device);
    job.room = room_of(problem, &job.one, run->device);
    job.groups = (job.stride + TOGETHER - 1) / TOGETHER;
    const size_t pieces = (size_t)problem->values[SORT_BATCH].size * job.groups;
    const double keys = (double)job.n * (double)sort_line_count(problem);
    const size_t threads = size_least(pool_threads_for(keys, THREAD_KEYS), run->scratch->bytes / job.room.all);
    if (are_long(problem) || threads <= 1)
        for (size_t i = 0; i < pieces; i++)
            sort_group(&job, i, 0);
    else
        parallel_for(pieces, threads, sort_group, &job);
    return STATUS_OK;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    const struct problem one = sort_one_line(problem);
    if (sort_line_count(problem) <= 1)
        return explain(reason, size, "sorts several lines, and there is one");
    return sort_value_bytes(&one) ? sort_pairs.supports(&one, device, parameters, reason, size) : NULL;
}

const struct rung sort_lines = {
    .name = "lines",
    .idea =
        "lines, each for itself: neighbours are gathered where a line's elements lie apart; short ones on one thread "
        "each",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .rests_soon = true,
    .takes = TAKES_ALL,
    .supports = supports,
    .scratch = scratch,
    .enqueue = enqueue,
};
