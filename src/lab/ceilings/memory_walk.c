#include "lab/ceilings/memory_walk.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/embedded.h"
#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "lab/bench/rest.h"
#include "lab/ceilings/probes.h"
#include "lab/ceilings/strategy_search.h"

#define WORD_BYTES 16
#define SEARCH_NS 60e6                  /* of the search's final heat */
#define HOST_RUN_NS 20e3                /* shorter runs are tried several at a time */
#define WINDOW_BYTES ((size_t)16 << 20) /* of each array: the part that a first trial walks */
#define TRIAL_NS 200e3                  /* a queue this full hides the first launch's latency */
#define TRIAL_RUNS_MOST 64

/* ---- strategies of devices other than the CPU: their own copy, and programs that differ in accesses in flight per
 * item and in group size ---- */

/* Accesses in flight per item, and items per group. Measured on an H200:
 * - One array of 28 GiB is read at 4705 GB/s with 8, at 4714 with 16, and at 4717 with 16 in groups of 128.
 * - Two arrays of 4 GiB read and one written: 4383 GB/s with 1 each, 4346 with 2, 4306 with 4, 4277 with 8.
 * - So large arrays need few accesses in flight; arrays that fit a cache need more.
 * - Persistent groups that walk with a stride are slower everywhere (4100 … 4560 GB/s). */
struct shape {
    int unroll;
    uint32_t items;
    bool kept; /* in caches, as a driver does it; otherwise what passes is the first to leave them */
};

static const struct shape shapes_writing[] = {{1, 256, false}, {4, 256, false}, {2, 512, false},  {8, 128, false},
                                              {1, 256, true},  {2, 512, true},  {1, 1024, false}, {1, 1024, true}};
static const struct shape shapes_reading[] = {{16, 128, false}, {8, 256, false}, {4, 512, false},  {4, 256, false},
                                              {16, 128, true},  {4, 256, true},  {2, 1024, false}, {2, 1024, true}};
/* On a CPU behind OpenCL: words that a group's single item walks. */
static const struct shape shapes_alone[] = {{1024, 1, false}, {16384, 1, false}, {128, 1, false}};

static enum status build(struct walk *walk, const struct shape *shape, struct walk_variant *variant,
                         struct error *error)
{
    char reads[32], writes[32], kept[32], each[32];
    const bool alone = walk->device->properties.is_cpu;
    const int unroll = !alone && !walk->writes && walk->reads > 1 ? shape->unroll / 2 : shape->unroll;
    snprintf(reads, sizeof reads, "READS=%d", walk->reads);
    snprintf(writes, sizeof writes, "WRITES=%d", walk->writes);
    snprintf(kept, sizeof kept, "KEPT=%d", shape->kept);
    snprintf(each, sizeof each, "%s=%d", alone ? "STRETCH" : "UNROLL", unroll);
    const char *const defines[] = {reads, writes, kept, each};
    const struct embedded_file *file = embedded_find("lab/ceilings/streams.cl");
    struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, COUNT_OF(defines)};
    const size_t bytes = walk->reads ? walk->sources[0].bytes : walk->targets[0].bytes;
    const size_t words = bytes / WORD_BYTES, per_group = (size_t)shape->items * (size_t)unroll;
    variant->keeps = shape->kept;
    variant->launch = (struct launch){
        .entry = "streams",
        .rank = 1,
        .group = {shape->items, 1, 1},
        .groups = {(words + per_group - 1) / per_group, 1, 1},
        .arguments = walk->arguments,
        .argument_count = COUNT_OF(walk->arguments),
    };
    if (alone)
        explain(variant->name, sizeof variant->name, "a kernel, words per item: %d", unroll);
    else
        explain(variant->name, sizeof variant->name,
                shape->kept ? N_("a kernel, accesses per item: %d, items: %u, kept in caches")
                            : N_("a kernel, accesses per item: %d, items: %u"),
                unroll, shape->items);
    enum status status = launch_check(walk->device, &variant->launch, error);
    return status == STATUS_OK ? program_build(walk->device, &source, &variant->program, error) : status;
}

static void fill_arguments(struct walk *walk)
{
    struct argument_value *arguments = walk->arguments;
    const size_t bytes = walk->reads ? walk->sources[0].bytes : walk->targets[0].bytes;
    for (int i = 0; i < WALK_READS_MAX; i++)
        arguments[i] =
            (struct argument_value){ARGUMENT_BUFFER, {.buffer = i < walk->reads ? &walk->sources[i] : &walk->unused}};
    for (int i = 0; i < WALK_WRITES_MAX; i++)
        arguments[WALK_READS_MAX + i] =
            (struct argument_value){ARGUMENT_BUFFER, {.buffer = i < walk->writes ? &walk->targets[i] : &walk->unused}};
    arguments[WALK_READS_MAX + WALK_WRITES_MAX] =
        (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)(bytes / WORD_BYTES)}};
}

/* Builds the programs. A program that the driver cannot build, or whose groups the device does not support, is left
 * out; at least one has to remain. */
static enum status build_variants(struct walk *walk, struct error *error)
{
    const bool alone = walk->device->properties.is_cpu;
    const struct shape *shapes = alone ? shapes_alone : walk->writes ? shapes_writing : shapes_reading;
    const size_t count = alone ? COUNT_OF(shapes_alone) : COUNT_OF(shapes_writing);
    enum status status = STATUS_UNAVAILABLE;
    fill_arguments(walk);
    if (walk->reads == 1 && walk->writes == 1) {
        struct walk_variant *own = &walk->variants[walk->variant_count++];
        explain(own->name, sizeof own->name, "the device's own copy");
        own->keeps = true;
    }
    for (size_t i = 0; i < count && walk->variant_count < WALK_VARIANTS_MAX; i++) {
        status = build(walk, &shapes[i], &walk->variants[walk->variant_count], error);
        walk->variant_count += status == STATUS_OK;
    }
    return walk->variant_count ? STATUS_OK : status;
}

static void discard_variants(struct walk *walk)
{
    for (size_t i = 0; i < walk->variant_count; i++)
        program_discard(walk->variants[i].program);
}

static enum status enqueue_variant(struct walk *walk, size_t variant, struct error *error)
{
    const struct walk_variant *chosen = &walk->variants[variant];
    if (chosen->program)
        return program_launch(chosen->program, &chosen->launch, error);
    return buffer_copy(&walk->targets[0], 0, &walk->sources[0], 0, walk->sources[0].bytes, error);
}

/* The time of `runs` runs between two events, ns. */
static double time_runs(struct walk *walk, size_t variant, int runs, struct event *from, struct event *to)
{
    struct error why;
    double nanoseconds;
    enum status status = event_record(from, &why);
    for (int i = 0; status == STATUS_OK && i < runs; i++)
        status = enqueue_variant(walk, variant, &why);
    if (status == STATUS_OK)
        status = event_record(to, &why);
    if (status == STATUS_OK)
        status = event_elapsed(from, to, &nanoseconds, &why);
    return status == STATUS_OK ? nanoseconds / runs : -1;
}

static double time_variant(struct walk *walk, size_t variant)
{
    struct event *from = NULL, *to = NULL;
    struct error why;
    double nanoseconds = -1;
    if (event_create(walk->device, &from, &why) == STATUS_OK && event_create(walk->device, &to, &why) == STATUS_OK) {
        nanoseconds = time_runs(walk, variant, 1, from, to);
        double runs = nanoseconds > 0 ? TRIAL_NS / nanoseconds : 1;
        if (runs > 1)
            nanoseconds = time_runs(walk, variant, runs < TRIAL_RUNS_MOST ? (int)runs + 1 : TRIAL_RUNS_MOST, from, to);
    }
    event_destroy(from);
    event_destroy(to);
    return nanoseconds;
}

/* ---- walks ---- */

void walk_destroy(struct walk *walk)
{
    if (!walk)
        return;
    discard_variants(walk);
    for (int i = 0; i < WALK_READS_MAX; i++)
        buffer_release(&walk->sources[i]);
    for (int i = 0; i < WALK_WRITES_MAX; i++)
        buffer_release(&walk->targets[i]);
    buffer_release(&walk->unused);
    free(walk);
}

static size_t bytes_of(const struct walk *walk)
{
    return walk->reads ? walk->sources[0].bytes : walk->targets[0].bytes;
}

/* ---- the CPU ---- */

static void walk_cpu(struct walk *walk, size_t strategy, size_t from, size_t bytes)
{
    const void *sources[WALK_READS_MAX];
    void *targets[WALK_WRITES_MAX];
    for (int i = 0; i < walk->reads; i++)
        sources[i] = (const char *)walk->sources[i].host + from;
    for (int i = 0; i < walk->writes; i++)
        targets[i] = (char *)walk->targets[i].host + from;
    cpu_walk(&walk->strategies[strategy], sources, walk->reads, targets, walk->writes, bytes);
}

/* Successive trials walk successive windows of the arrays, so that no data is cached from the trial before. */
static double run_cpu(void *context, size_t strategy, int whole)
{
    struct walk *walk = context;
    if (walk->barred[strategy])
        return -1;
    const size_t all = bytes_of(walk), bytes = whole || all < 2 * WINDOW_BYTES ? all : WINDOW_BYTES;
    if (walk->window_from + bytes > all)
        walk->window_from = 0;
    int64_t begun = clock_now();
    int runs = 0;
    do {
        walk_cpu(walk, strategy, bytes < all ? walk->window_from : 0, bytes);
        runs++;
    } while ((double)(clock_now() - begun) < HOST_RUN_NS);
    walk->window_from += bytes < all ? bytes : 0;
    return (double)(clock_now() - begun) / runs;
}

/* ---- any device ---- */

static double run_variant(void *context, size_t variant, int whole)
{
    (void)whole;
    const struct walk *walk = context;
    return walk->barred[variant] ? -1 : time_variant(context, variant);
}

/* ---- strategies found earlier in this process ---- */

#define KNOWN_MOST 64

struct known {
    size_t bytes, chosen;
    int reads, writes, threads;
};
static struct known known[KNOWN_MOST];
static size_t known_count;

static struct known *recall(const struct walk *walk)
{
    for (size_t i = 0; i < known_count && i < KNOWN_MOST; i++)
        if (known[i].bytes == bytes_of(walk) && known[i].reads == walk->reads && known[i].writes == walk->writes &&
            known[i].threads == omp_get_max_threads() && known[i].chosen < walk->strategy_count)
            return &known[i];
    return NULL;
}

static void remember(const struct walk *walk)
{
    struct known *place = recall(walk);
    place = place ? place : &known[known_count++ % KNOWN_MOST];
    *place = (struct known){bytes_of(walk), walk->chosen, walk->reads, walk->writes, omp_get_max_threads()};
}

static bool is_on_cpu(const struct walk *walk)
{
    return walk->device->backend->kind == BACKEND_CPU;
}

static void say_strategy(const struct walk *walk, struct run *run)
{
    if (is_on_cpu(walk))
        cpu_strategy_name(&walk->strategies[walk->chosen], walk->reads, walk->writes, run->detail, sizeof run->detail);
    else
        snprintf(run->detail, sizeof run->detail, "%s", walk->variants[walk->chosen].name);
}

/* The index of the fastest strategy that is not barred. */
static size_t search(struct walk *walk)
{
    const struct strategy_trial trial = {.count = is_on_cpu(walk) ? walk->strategy_count : walk->variant_count,
                                         .run = is_on_cpu(walk) ? run_cpu : run_variant,
                                         .context = walk,
                                         .budget = SEARCH_NS};
    if (is_on_cpu(walk))
        wait_until_at_rest();
    return strategy_search(&trial);
}

enum status walk_search(struct walk *walk, struct run *run, struct error *error)
{
    (void)error;
    walk->chosen = search(walk);
    if (is_on_cpu(walk))
        remember(walk);
    say_strategy(walk, run);
    return STATUS_OK;
}

/* Bars the chosen strategy; on a device those that leave as much in caches, where there are others. */
static void bar_alike(struct walk *walk)
{
    const bool keeps = walk->variants[walk->chosen].keeps;
    bool has_others = false;
    for (size_t i = 0; i < walk->variant_count; i++)
        has_others = has_others || walk->variants[i].keeps != keeps;
    for (size_t i = 0; has_others && i < walk->variant_count; i++)
        walk->barred[i] = walk->variants[i].keeps == keeps;
    walk->barred[walk->chosen] = true;
}

enum status walk_search_others(struct walk *walk, struct run *run, struct error *error)
{
    (void)error;
    if (is_on_cpu(walk))
        walk->barred[walk->chosen] = true;
    else
        bar_alike(walk);
    walk->chosen = search(walk);
    memset(walk->barred, 0, sizeof walk->barred);
    say_strategy(walk, run);
    return STATUS_OK;
}

/* Takes the strategy found earlier for the same bytes and threads, or searches. */
static enum status choose_first(struct walk *walk, struct run *run, struct error *error)
{
    const struct known *found = is_on_cpu(walk) ? recall(walk) : NULL;
    if (!found)
        return walk_search(walk, run, error);
    walk->chosen = found->chosen;
    say_strategy(walk, run);
    return STATUS_OK;
}

static enum status make_array(struct walk *walk, size_t bytes, struct buffer *buffer, struct error *error)
{
    enum status status = buffer_allocate(walk->device, bytes, buffer, error);
    return status == STATUS_OK ? noise_fill(buffer, error) : status;
}

enum status walk_create(struct run *run, int reads, int writes, int passes, struct walk **made, struct error *error)
{
    if (reads + writes == 0)
        return fail(error, STATUS_UNAVAILABLE, "the problem has no streams");
    struct walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    *walk = (struct walk){.device = run->device, .passes = passes > 1 ? passes : 1};
    walk->reads = reads < WALK_READS_MAX ? reads : WALK_READS_MAX;
    walk->writes = writes < WALK_WRITES_MAX ? writes : WALK_WRITES_MAX;
    struct cost cost = run->problem->kernel->cost(run->problem);
    double each = (cost.bytes_read + cost.bytes_written) / (walk->reads + walk->writes) / walk->passes;
    size_t bytes = (size_t)each / WORD_BYTES * WORD_BYTES;
    bytes = bytes ? bytes : WORD_BYTES;
    enum status status = buffer_allocate(run->device, WORD_BYTES, &walk->unused, error);
    for (int i = 0; status == STATUS_OK && i < walk->reads; i++)
        status = make_array(walk, bytes, &walk->sources[i], error);
    for (int i = 0; status == STATUS_OK && i < walk->writes; i++)
        status = make_array(walk, bytes, &walk->targets[i], error);
    if (status == STATUS_OK && run->device->backend->kind == BACKEND_CPU)
        walk->strategy_count = cpu_strategies(walk->reads, walk->writes, bytes, walk->strategies);
    else if (status == STATUS_OK)
        status = build_variants(walk, error);
    if (status == STATUS_OK)
        status = choose_first(walk, run, error);
    if (status != STATUS_OK) {
        walk_destroy(walk);
        walk = NULL;
    }
    *made = walk;
    return status;
}

enum status walk_enqueue(struct walk *walk, struct error *error)
{
    enum status status = STATUS_OK;
    for (int pass = 0; status == STATUS_OK && pass < walk->passes; pass++)
        if (is_on_cpu(walk))
            walk_cpu(walk, walk->chosen, 0, bytes_of(walk));
        else
            status = enqueue_variant(walk, walk->chosen, error);
    return status;
}
