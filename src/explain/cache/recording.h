/* One run of a CPU rung by its copied code, in a process of its own: its accesses go through a simulation of caches. */
#pragma once

#include "explain/cache/code_copy.h"
#include "explain/cache/core_sample.h"
#include "explain/cache/simulator.h"
#include "kernels/kernel.h"

#define OUTSIDE_MOST 8
#define PLACES_MOST (KERNEL_ARRAYS_MAX + 1) /* the arrays, and scratch memory */
#define PLACE_OTHER PLACES_MOST             /* everything else: the stack, constants, allocated memory */

/* Limits of one recording. Beyond `whole` accesses one line in eight is simulated; beyond `most` none is, and only
 * instructions are counted. */
struct recording_limits {
    uint64_t whole, most;
    unsigned seconds; /* of processors' time */
};

/* In memory that both processes share. */
struct recording {
    enum status status;
    struct error error;
    unsigned threads;               /* that made accesses */
    uint64_t accesses;              /* of all threads */
    uint64_t simulated;             /* of those, before the second limit */
    bool is_sampled, is_cut;        /* beyond the first limit, beyond the second one */
    bool was_warm;                  /* a run before this one left its data in the caches */
    size_t page_bytes;              /* of the arrays */
    uint64_t regions;               /* parallel regions that were entered */
    char outside[OUTSIDE_MOST][48]; /* functions that were called and not recorded */
    size_t outside_count;
    bool is_partial; /* one of them may do any amount of work: it is neither mathematical nor for memory */
    struct cache_traffic traffic[CACHE_THREADS_MOST];
    struct core_total core[CACHE_THREADS_MOST];
    size_t sites, blocks;
    /* Behind it: struct cache_counts [sites], uint8_t places [sites] (PLACE_OTHER + 1: not seen), uint64_t
     * executed [CACHE_THREADS_MOST][blocks]. */
};

struct recording_request {
    const struct rung *rung;
    const struct problem *problem;
    const struct parameters *parameters;
    const struct cache_geometry *geometry;
    const struct code_copy *copy;
    int threads;
    size_t large_page; /* of arrays that are large enough; 0: this system's way */
    struct recording_limits limits;
};

struct cache_counts *recording_counts(struct recording *recording);
uint8_t *recording_places(struct recording *recording);
uint64_t *recording_executed(struct recording *recording, unsigned thread);

/* NULL when memory is out. */
struct recording *cache_recording_create(const struct code_copy *copy);
void cache_recording_free(struct recording *recording);

/* Runs a copy of the rung's code, and leaves the result in the recording. It changes the rung's own code: the process
 * must end afterwards. */
void recorded_run(const struct recording_request *request, struct recording *recording);
