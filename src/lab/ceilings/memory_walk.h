/* Shared by the memory probes: arrays that are read and written concurrently, and several strategies to do so. The
 * fastest strategy at this size is the ceiling. */
#pragma once

#include "backends/cpu/strategy.h"
#include "kernels/kernel.h"

/* The maximum in streams.cl. */
#define WALK_READS_MAX 2
#define WALK_WRITES_MAX 4
#define WALK_VARIANTS_MAX 9
#define WALK_STRATEGIES_MAX (CPU_STRATEGIES_MAX > WALK_VARIANTS_MAX ? CPU_STRATEGIES_MAX : WALK_VARIANTS_MAX)

/* One strategy of a device: its own copy (no program), or a program with its launch shape. */
struct walk_variant {
    struct program *program;
    struct launch launch;
    char name[64];
    bool keeps; /* in caches what passes */
};

struct walk {
    struct device *device;
    int reads, writes, passes;
    struct buffer sources[WALK_READS_MAX], targets[WALK_WRITES_MAX];
    struct buffer unused; /* stands in for the arrays that a program does not touch */
    struct argument_value arguments[WALK_READS_MAX + WALK_WRITES_MAX + 1];
    struct walk_variant variants[WALK_VARIANTS_MAX]; /* all devices but the CPU */
    size_t variant_count;
    struct cpu_strategy strategies[CPU_STRATEGIES_MAX]; /* the CPU */
    size_t strategy_count;
    size_t chosen;                    /* index of the fastest, in the device's list */
    bool barred[WALK_STRATEGIES_MAX]; /* from the search that is under way */
    size_t window_from;               /* where the search's next window starts, bytes */
    double core_latency; /* at the last search, ns; and the number of searches since because the cores had changed */
    unsigned moves;
};

/* Allocates `reads` + `writes` arrays, together as large as one pass of the problem, fills them with noise, and finds
 * the fastest strategy. The caller destroys *made. On failure nothing remains allocated. */
enum status walk_create(struct run *run, int reads, int writes, int passes, struct walk **made, struct error *error);
void walk_destroy(struct walk *walk); /* NULL is fine */

/* Finds the fastest strategy again and writes its name to the run's `detail`. Called when a machine has changed, or a
 * rung was faster than the probe. */
enum status walk_search(struct walk *walk, struct run *run, struct error *error);

/* As walk_search, among those that differ from the chosen one: on a device in what they leave in caches. A search walks
 * its arrays again and again, a bench walks others between, so its fastest strategy need not be that of the rounds. */
enum status walk_search_others(struct walk *walk, struct run *run, struct error *error);

/* Enqueues one walk per pass, by the chosen strategy. */
enum status walk_enqueue(struct walk *walk, struct error *error);
