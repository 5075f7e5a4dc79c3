/* Published figures of CPUs' cores: what limits a stream of instructions whose data are all in the L1 cache. */
#pragma once

#include "architectures/architectures.h"

struct cpu_core {
    const char *name; /* as cpu_family's: "Zen 3" */
    double issue;     /* instructions a clock */
    unsigned window;  /* instructions in flight: the reorder buffer */
    unsigned misses;  /* lines that are fetched at once */
    unsigned block;   /* bytes, aligned: a store that crosses their end is two */
    struct {
        double loads, vector_loads, stores, vector_stores, vector_accesses, floats, additions, shuffles, integers,
            vectors, conversions;
    } units; /* operations a clock */
    struct {
        double mispredicted, addition, multiplication, fma, load, vector_load, forwarded, conversion;
        double crossing; /* a permutation of a vector's elements beyond 128 bits */
        double masked;   /* between two stores of chosen elements of a vector */
        double gathered; /* for each element of a gather */
    } clocks;
    enum source_id source;
    enum figure_check check;
};

extern const struct cpu_core cpu_cores[];
extern const size_t cpu_cores_count;

/* By name, letters of either case; NULL when it is not in the table. */
const struct cpu_core *cpu_core_by_name(const char *name);
