/* Published caches and translation buffers of CPUs: for a simulation of one that is not here. */
#pragma once

#include "architectures/architectures.h"

struct cpu_caches {
    const char *name; /* as cpu_family's: "Zen 3" */
    unsigned line;    /* bytes */
    struct {
        unsigned kib, ways; /* 0: there is none of this level */
    } levels[3];
    unsigned cores;   /* that share the last level */
    bool is_victim;   /* the last level holds what the second one gave up, and nothing else */
    double clocks[3]; /* from a load to its value */
    struct {
        unsigned entries, ways;         /* ways of 0: fully associative */
    } pages, large_pages, second_pages; /* of the first buffer, small and 2 MiB; of the second one, both */
    enum source_id source;
    enum figure_check check;
};

extern const struct cpu_caches cpu_caches[];
extern const size_t cpu_caches_count;

/* By name, letters of either case; NULL when it is not in the table. */
const struct cpu_caches *cpu_caches_by_name(const char *name);
