/* Shared by the memory probes: arrays that are read and written side by side, and several strategies of doing it,
 * of which the fastest at this size is the ceiling. */
#ifndef USKOR_LAB_CEILINGS_MEMORY_WALK_H
#define USKOR_LAB_CEILINGS_MEMORY_WALK_H

#include "backends/cpu/strategy.h"
#include "kernels/kernel.h"

/* The maximum in streams.cl. */
#define WALK_READS_MAX 2
#define WALK_WRITES_MAX 4
#define WALK_VARIANTS_MAX 9

/* One way of a device: its own copy (no program), or a program with the shape of its launch. */
struct walk_variant {
    struct program *program;
    struct launch launch;
    char name[64];
};

struct walk {
    struct device *device;
    int reads, writes, passes;
    struct buffer sources[WALK_READS_MAX], targets[WALK_WRITES_MAX];
    struct buffer unused; /* stands in for the arrays that a program does not touch */
    struct argument_value arguments[WALK_READS_MAX + WALK_WRITES_MAX + 1];
    struct walk_variant variants[WALK_VARIANTS_MAX]; /* of devices that are not the cpu */
    size_t variant_count;
    struct cpu_strategy strategies[CPU_STRATEGIES_MAX]; /* of the cpu */
    size_t strategy_count;
    size_t chosen;       /* the fastest, of either list */
    size_t window_from;  /* the search's */
    double core_latency; /* when it was last looked at, and how often it was another place then */
    unsigned moves;
};

/* Allocates `reads` + `writes` arrays that together are as large as one pass of the problem, fills them with noise, and
 * finds the fastest strategy. On failure nothing is left. */
enum status walk_create(struct run *run, int reads, int writes, int passes, struct walk **walk, struct error *error);
void walk_destroy(struct walk *walk); /* NULL is fine */

/* Finds the fastest strategy anew, and says which in the run's `detail`: when a machine has changed, or a rung was
 * faster. */
enum status walk_search(struct walk *walk, struct run *run, struct error *error);

/* Walks once for each pass, as the strategy does it. */
enum status walk_enqueue(struct walk *walk, struct error *error);

#endif
