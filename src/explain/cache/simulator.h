/* Caches and translation buffers of a processor, simulated access by access.
 *
 * Each level is set-associative and replaces the least recently used line. Stores allocate lines; non-temporal stores
 * do not, and remove the line where it is. First and second caches and both translation buffers belong to one thread,
 * the last cache to as many as share it. A victim cache holds what the second cache has given up, and nothing else.
 * Hardware prefetching does not change what a miss is; a miss that a stream prefetcher would have foreseen is counted
 * as such. Invalidations by other threads' stores are not simulated. Sets are chosen by virtual addresses. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "architectures/cores.h"

#define CACHE_LEVELS 3
#define CACHE_THREADS_MOST 256

struct cache_level {
    size_t bytes; /* 0: there is none of this level */
    unsigned ways;
    unsigned sharers; /* threads of a run that share one */
    bool is_victim;
};

/* Translations: of small pages, and of large ones of 2 MiB; of the second buffer both share its entries. */
struct cache_pages {
    unsigned entries, ways; /* ways of 0: fully associative */
    unsigned large_entries, large_ways;
};

struct cache_geometry {
    char name[64];
    unsigned line; /* bytes */
    struct cache_level levels[CACHE_LEVELS];
    struct cache_pages pages[2];
    size_t small_page;           /* bytes */
    double clocks[CACHE_LEVELS]; /* from a load to its value, by the level that has it */
    const struct cpu_core *core;
    double core_share;    /* of the core that a thread has: less than 1 where another program's runs on it */
    bool is_core_assumed; /* the processor's own core is not in the tables */
};

enum cache_access {
    CACHE_LOAD,
    CACHE_STORE,    /* … or changed: the line is loaded first */
    CACHE_BYPASS,   /* a non-temporal store */
    CACHE_PREFETCH, /* the program's own */
};

/* Of one access in the code, over all threads. */
struct cache_counts {
    double accesses, bytes;
    double misses[CACHE_LEVELS];   /* of lines; the last one's come from memory */
    double streamed[CACHE_LEVELS]; /* … of those that a stream prefetcher foresees */
    double page_misses[2];         /* of the first buffer, and of both: then tables are read */
    double bypassed;               /* bytes */
    double used;                   /* bytes of lines that this access brought in, used before they were given up */
    double lines, pages;           /* different ones, of accesses to arrays; the last, as they are never scaled */
};

void cache_counts_add(struct cache_counts *sum, const struct cache_counts *counts);

/* Per thread: what moves, in lines. */
struct cache_traffic {
    double fills[CACHE_LEVELS];  /* into each level from the next one, memory behind the last */
    double writes[CACHE_LEVELS]; /* of changed lines, from each level to the next */
    double bypassed;             /* bytes */
    double waits[CACHE_LEVELS];  /* loads that no prefetcher foresees, by the level that misses: memory is the last */
    double stalls[CACHE_LEVELS]; /* … as if one after another: those within the instructions in flight overlap */
    double conflicts[CACHE_LEVELS]; /* lines that waited for others of their set in the first cache, by where from */
    double page_walks, page_misses; /* misses of both buffers, of the first one */
};

/* Of several threads: adds to the sum, and each figure to the most of it. */
void cache_traffic_add(struct cache_traffic *sum, struct cache_traffic *most, const struct cache_traffic *one);

struct cache_simulator;

/* For code with so many accesses. NULL when memory is out. Threads may call cache_simulator_access side by side, each
 * for itself. */
struct cache_simulator *cache_simulator_create(const struct cache_geometry *geometry, size_t sites);
void cache_simulator_destroy(struct cache_simulator *simulator);

/* Only one in `every` lines (a power of two; 1: all) counts from now on, and for `every` as many. Their sets stay
 * exact, as no two of them share a set with others that count (Kessler, Hill and Wood, 1994). */
void cache_simulator_sample(struct cache_simulator *simulator, unsigned every);

/* One access of a thread. `page_bytes` is that of the memory it goes to. False when memory for a new thread is out. */
bool cache_simulator_access(struct cache_simulator *simulator, unsigned thread, size_t site, enum cache_access kind,
                            uint64_t address, unsigned bytes, size_t page_bytes);

/* An access that is not simulated; it is counted. */
void cache_simulator_pass(struct cache_simulator *simulator, unsigned thread, size_t site, unsigned bytes);

/* Instructions of the thread for each of its accesses, from now on (at first: 3). */
void cache_simulator_pace(struct cache_simulator *simulator, unsigned thread, double instructions);

/* The thread's own counts of an access, for what the simulation does not know: different lines and pages. NULL before
 * its first access. */
struct cache_counts *cache_simulator_counts(struct cache_simulator *simulator, unsigned thread, size_t site);

/* Counts from nothing, with the caches as they are. */
void cache_simulator_reset(struct cache_simulator *simulator);

/* Ends the counting: lines that are still there count as used as far as they were. Adds what all threads did to
 * `counts`, one for each access of the code. */
void cache_simulator_finish(struct cache_simulator *simulator, struct cache_counts *counts);

/* Of a thread; zeros where it made no access. */
struct cache_traffic cache_simulator_traffic(const struct cache_simulator *simulator, unsigned thread);
