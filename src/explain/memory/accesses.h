/* Accesses to memory, and the sums of what they move. */
#pragma once

#include <stddef.h>

#include "explain/memory/rules.h"

#define EXPLAIN_RULES_MAX 4

enum explain_space {
    EXPLAIN_GLOBAL,
    EXPLAIN_SHARED,
    EXPLAIN_OWN, /* an item's own, in memory: spills, arrays with indices, stacks; only of executed machine code */
};

enum explain_operation {
    EXPLAIN_LOAD,
    EXPLAIN_STORE,
    EXPLAIN_ATOMIC,
};

/* For programs: "global", "shared", "own"; "load", "store", "atomic". */
const char *explain_space_name(enum explain_space space);
const char *explain_operation_name(enum explain_operation operation);

/* Counts by one architecture's rules, over all launches of one run. A request is the unit that the rules count
 * transactions for. It is an access of a half-warp in 1.x and of a warp later; in 2.x and 3.x, of a part of the warp
 * for wide words. In shared memory a transaction is one pass over the banks. */
struct explain_counts {
    double requests, transactions;
    double per_request;        /* transactions */
    double bytes_moved;        /* by the transactions */
    double bytes_used;         /* of these, bytes that some item uses */
    double bytes_used_percent; /* … of those moved */
    double conflicts;          /* shared memory: passes beyond those of a conflict-free access */
    double conflicts_per_request;
};

/* One access in the source. */
struct explain_access {
    char file[256];  /* the rung's */
    char kernel[64]; /* the launched kernel function */
    int line;        /* 0: not in the debug information */
    char array[64];  /* the kernel function's argument; in shared memory, the array */
    enum explain_space space;
    enum explain_operation operation;
    unsigned bytes;       /* per item */
    double warp_accesses; /* warp instructions with at least one active lane */
    double items_percent; /* mean share of active lanes: below 100 where lanes diverge or groups end */
    /* Global memory: bytes of the 32-byte sectors that the group touches for the first time. The sum over a rung's
     * accesses is the traffic behind an L1 that keeps a group's whole footprint; without an L1 it is bytes_moved. */
    double first_bytes;
    double awaited_bytes; /* … that the warp touches for the first time; 0: not counted */
    double dram_share;    /* of first_bytes: what L2 has not, 0 to 1; set by the model */
    int argument;         /* of the kernel function, where a trace counted the access */
    double array_bytes;   /* global memory: bytes of the buffer */
    double lines;         /* global memory: 128-byte lines, each once per warp access */
    double l1_passes;     /* global memory: clocks of the first cache, from 7.0 on */
    double merged_bytes;  /* stores, in executed machine code: of bytes_moved, to sectors that the warp's store before
                             this one went to */
    /* Atomic operations on global memory, in executed machine code: those of one address at most, and requests to one
     * slice of L2 (512 bytes) at most, of all such accesses of the kernel. */
    double hottest, hottest_slice;
    bool is_float_atomic, is_swap;
    struct explain_counts counts[EXPLAIN_RULES_MAX]; /* one per rule set */
    struct warp_access sample; /* the access with the most active lanes, as an example for a picture */
};

#define NO_ARGUMENT (-1)

/* Adds the lanes of `weight` executions of a warp's access (until explain_accesses_complete, items_percent are lanes),
 * and keeps it as the example if it has more than those before. */
void explain_access_count(struct explain_access *sum, const struct warp_access *access, double weight);
/* Adds its counts by one rule to that rule's. */
void explain_counts_add(struct explain_counts *sum, const struct access_counts *counts, double weight);

/* Adds the sums, multiplied by `times`, to those of the same access in the list, or to its end, where there is room. */
void explain_access_add(struct explain_access *list, size_t *count, const struct explain_access *one, double times);

/* Fills in what follows from the sums: means and shares. */
void explain_accesses_complete(struct explain_access *list, size_t count);
