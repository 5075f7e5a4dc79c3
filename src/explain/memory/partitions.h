/* The load of memory partitions. In compute capability 1.x global memory is divided among partitions of 64 bits of the
 * bus; neighbouring blocks of 256 bytes belong to neighbouring partitions (Ruetsch and Micikevicius, "Optimizing Matrix
 * Transpose in CUDA", 2009). Groups that run at once wait for each other where their addresses share a partition:
 * partition camping. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "explain/memory/rules.h"

enum {
    PARTITIONS_MAX = 8,      /* a bus of 512 bits */
    PARTITION_BYTES = 256,   /* of neighbouring addresses in one partition */
    PARTITION_LAUNCHES = 64, /* recorded; later ones are not */
    PARTITION_ENTRY_MAX = 64,
};

/* The bytes that one group moves from and to each partition. */
struct group_load {
    uint32_t launch; /* of all launches */
    uint64_t group;  /* its place in the launch's order: x first */
    float bytes[PARTITIONS_MAX];
};

/* Loads of traced groups; zeroed, it is empty and records nothing. */
struct partition_loads {
    unsigned partitions; /* 0: not counted */
    uint32_t launches;
    struct group_load *groups; /* unordered */
    size_t count, capacity;
    char entries[PARTITION_LAUNCHES][PARTITION_ENTRY_MAX]; /* each launch's kernel function */
    uint64_t totals[PARTITION_LAUNCHES];                   /* … and its groups */
};

void partition_loads_free(struct partition_loads *loads);

/* Starts a launch of `groups` groups; starts one of its groups. Without memory the group is not recorded. */
void partition_begin_launch(struct partition_loads *loads, const char *entry, uint64_t groups);
void partition_begin_group(struct partition_loads *loads, uint64_t group);

/* Adds an access of the last group that was started, which moves `bytes`. Every array begins in the first partition.
 * Lanes have equal shares of the bytes. */
void partition_add(struct partition_loads *loads, const struct warp_access *access, double bytes);

/* How much longer the busiest partition takes than an even distribution would, for the launches of `entry`: the groups
 * run `at_once` at a time, in order, and each time the busiest partition ends last. 1: even; the number of partitions:
 * all is in one. 0: unknown, as too few neighbouring groups were recorded. Sorts the loads. */
double partition_imbalance(struct partition_loads *loads, const char *entry, double at_once);
