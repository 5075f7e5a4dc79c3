/* The memory traffic of a device rung, access by access, without a GPU.
 *
 * The rung runs on a trace device (explain/memory/trace_device.h), from its own source, on the real problem. Every
 * load, store and atomic operation of every work-item in the traced groups is recorded, 32 items per warp. They are
 * counted by the published rules of the requested architectures. Untraced groups are estimated from the traced groups
 * of their stratum (explain/memory/sample.h). docs/explain.md states how each number is made, and where it is known to
 * differ from a device's counters. */
#pragma once

#include "explain/memory/accesses.h"
#include "explain/memory/partitions.h"
#include "explain/memory/revisits.h"
#include "explain/memory/rules.h"
#include "kernels/kernel.h"

/* A race: two items of a group access the same byte of shared memory without a barrier in between, and one of them
 * writes it. */
struct explain_race {
    char file[256];
    int lines[2]; /* of the two accesses */
    char array[64];
    bool is_global; /* two items read and write an element; only where an order was asked for */
};

/* A source line, and how often warps executed the busiest basic block that has it. */
struct explain_line {
    char file[256], kernel[64];
    int line;
    double warps;
};

struct explain_trace {
    struct explain_access *accesses; /* sorted by file, line and operation */
    size_t access_count;
    struct explain_race *races;
    size_t race_count;
    struct explain_line *lines;
    size_t line_count;
    struct partition_loads partitions; /* by rules[0] */
    struct revisits revisits;
    uint64_t launches, groups;
    uint64_t groups_traced; /* equal to `groups`: every count is exact */
    bool is_of_code;        /* the rung could not be traced: its accesses are those of its machine code, executed
                               (explain/machine/count.h) */
    bool data_decides;      /* addresses or branches depend on the data: other data give other counts */
    bool saw_all_data; /* false: the launches were too large to run all groups. Later launches then read zeros in place
                          of unwritten results, and data-dependent counts are unreliable. */
    char barrier_missed[64]; /* a kernel function where some items of a group miss a barrier; or "" */
};

/* Which groups of a launch run, and in which order. But in a sample each runs once, all are searched for races, and
 * outputs and scratch are poisoned before. Backward the warps of a group and their items run backward, too. Shuffled,
 * nobody knows the order of groups, and of a warp's items, in advance. With other values groups run forward; of several
 * values that an element was given in no order, the one that stays is not the last. */
enum explain_order {
    EXPLAIN_SAMPLE,
    EXPLAIN_FORWARD,
    EXPLAIN_BACKWARD,
    EXPLAIN_SHUFFLED,
    EXPLAIN_OTHER_VALUES,
};

struct explain_request {
    const struct rung *rung; /* a device rung */
    enum explain_order order;
    const struct problem *problem;
    struct parameters parameters;
    const char *capability; /* for queries of the rung's header: "9.0" */
    uint64_t local_bytes_per_group;
    const struct memory_rules *rules;
    size_t rule_count; /* 1 … EXPLAIN_RULES_MAX */
    /* Called after the rung has run, with its arrays (complete when all groups ran). May be NULL. */
    void (*inspect)(void *context, const struct array *arrays, struct host_arrays host);
    void *context;
};

/* Runs the rung once and counts. The caller frees the result with explain_trace_free; on failure it is empty.
 *
 * Returns: STATUS_UNAVAILABLE, in one line, when the rung cannot run there (its own reason), its source cannot be
 * traced (CUDA C++, PTX), there is no C++ compiler, or no memory for the problem; STATUS_FAILED when the kernel
 * accesses memory outside its arrays. */
enum status explain_trace_run(const struct explain_request *request, struct explain_trace *trace, struct error *error);
void explain_trace_free(struct explain_trace *trace); /* zeroed is fine */
