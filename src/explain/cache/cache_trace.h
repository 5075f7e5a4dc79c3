/* A CPU rung's accesses to memory, line by line of its source, and what caches make of them: recorded from the machine
 * code of this very program, and simulated. */
#pragma once

#include "explain/cache/simulator.h"
#include "explain/compiled/compiled.h"
#include "kernels/kernel.h"

/* One access in the source: all instructions of a line that load from, or store to, one array. */
struct cache_site {
    char file[64];
    int line;       /* 0: the compiler did not say */
    char array[32]; /* the kernel's name for it; "scratch"; "other": stack, constants, allocated memory */
    enum cache_access kind;
    unsigned bytes; /* of the widest instruction */
    bool is_array;  /* or scratch memory: lines and pages are counted */
    struct cache_counts counts;
};

/* Of the thread that executed most, and of all. */
struct cache_work {
    double instructions;
    double classes[CODE_CLASSES];
    double core_clocks;  /* what its instructions need with all data in L1 (core_window.h) */
    double mispredicted; /* branches */
};

/* Integer divisions of one line: each takes the time of a dozen additions. */
struct cache_division {
    char file[64];
    int line;
    double count;
};
#define CACHE_DIVISIONS_MAX 8

/* How often the instruction at an address was executed. */
struct cache_executed {
    uintptr_t address;
    double times;
};

struct explain_caches {
    struct cache_geometry geometry;
    struct cache_site *sites; /* most misses first */
    size_t site_count;
    unsigned threads;
    double accesses, simulated; /* the same, unless is_cut */
    bool is_sampled;            /* one cache line in eight was simulated, as the accesses were many */
    bool is_cut;                /* the simulation ended at its limit: counts are scaled to all accesses */
    bool was_warm;              /* a run before it left its data in the caches, as the lab's repetitions do */
    size_t page_bytes;
    double regions;    /* parallel ones, entered */
    size_t unrecorded; /* executed instructions' accesses that are not recorded: gathers, repeated string operations */
    char outside[160]; /* functions that it calls and that are not recorded; "" */
    bool is_partial;   /* … and that may do any amount of work: no time is predicted */
    struct cache_traffic traffic; /* of all threads */
    struct cache_traffic most;    /* of each figure, the thread that has most of it */
    struct cache_work all, busiest;
    struct cache_division divisions[CACHE_DIVISIONS_MAX]; /* of lines whose divisions take time, most first */
    size_t division_count;
    struct cache_executed *executed; /* by all threads; by address */
    size_t executed_count;
};

struct cache_trace_request {
    const struct rung *rung; /* a host rung */
    const struct problem *problem;
    const struct parameters *parameters;
    const struct cache_geometry *geometry;
    int threads;
    const void *start;  /* a function of the rung; NULL: its enqueue */
    const char *folder; /* of its sources (host_walk.h); NULL: the kernel's */
};

/* Runs the rung once or twice in a process of its own. The caller frees the result with explain_caches_free.
 * STATUS_UNAVAILABLE with the reason: no x86-64, no binutils, an instruction that cannot be recorded, too long. */
enum status explain_caches_trace(const struct cache_trace_request *request, struct explain_caches *caches,
                                 struct error *error);
/* Of the instruction at the address; 0 where it is not known. */
double explain_caches_times(const struct explain_caches *caches, uintptr_t address);
void explain_caches_free(struct explain_caches *caches); /* zeroed is fine */

/* "load", "store", "stream" (a non-temporal store), "prefetch": for programs. */
const char *cache_access_name(enum cache_access kind);
