#include "lab/ceilings/memory_walk.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "lab/ceilings/incompressible.h"
#include "lab/ceilings/memory_walk_device.h"
#include "lab/ceilings/strategy_search.h"

#define WORD_BYTES 16
#define SEARCH_NS 60e6                  /* of the search's last heat */
#define HOST_RUN_NS 20e3                /* runs that are shorter are tried several at a time */
#define WINDOW_BYTES ((size_t)16 << 20) /* of each array, that a first trial walks */

void walk_destroy(struct walk *walk)
{
    if (!walk)
        return;
    walk_discard_variants(walk);
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

/* ---- the cpu ---- */

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

/* Windows follow each other through the arrays, so that each comes back as late as in whole runs. */
static double run_cpu(void *context, size_t strategy, int whole)
{
    struct walk *walk = context;
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
    return walk_time_variant(context, variant);
}

/* ---- what was found in this process ---- */

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

static void say_strategy(const struct walk *walk, struct run *run)
{
    if (walk->device->backend->kind == BACKEND_CPU)
        cpu_strategy_name(&walk->strategies[walk->chosen], walk->reads, walk->writes, run->detail, sizeof run->detail);
    else
        snprintf(run->detail, sizeof run->detail, "%s", walk->variants[walk->chosen].name);
}

enum status walk_search(struct walk *walk, struct run *run, struct error *error)
{
    (void)error;
    const bool on_cpu = walk->device->backend->kind == BACKEND_CPU;
    const struct strategy_trial trial = {.count = on_cpu ? walk->strategy_count : walk->variant_count,
                                         .run = on_cpu ? run_cpu : run_variant,
                                         .context = walk,
                                         .budget = SEARCH_NS};
    walk->chosen = strategy_search(&trial);
    if (on_cpu)
        remember(walk);
    say_strategy(walk, run);
    return STATUS_OK;
}

/* The strategy that was found before for as many bytes and threads, or a search. */
static enum status choose_first(struct walk *walk, struct run *run, struct error *error)
{
    const struct known *found = walk->device->backend->kind == BACKEND_CPU ? recall(walk) : NULL;
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
        status = walk_build_variants(walk, error);
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
        if (walk->device->backend->kind == BACKEND_CPU)
            walk_cpu(walk, walk->chosen, 0, bytes_of(walk));
        else
            status = walk_enqueue_variant(walk, walk->chosen, error);
    return status;
}
