/* The time of one kernel's launches on a GPU, by resource (docs/explain.md). */
#pragma once

#include "explain/model/model.h"

struct kernel_time_request {
    const struct explain_target *target;
    const struct explain_kernel *kernel;
    const struct explain_trace *trace; /* may be empty */
    const struct kernel_work *work;    /* NULL: instructions unknown */
    double share;                      /* this kernel's share of the function's accesses */
    double groups, rounds;             /* groups of all launches; consecutive groups on the busiest multiprocessor */
    double together;                   /* groups resident on a multiprocessor */
    double stretch;                    /* groups of the busiest multiprocessor over the mean */
    double imbalance;                  /* of the memory partitions; 0: unknown */
    double l2_cache;                   /* bytes; 0: unknown */
    bool fits_l2;                      /* all arrays of the rung fit L2: no DRAM traffic */
    double tensor_operations, least_bytes; /* known from the problem, not from a trace; 0: none */
};

struct kernel_time {
    double ns[EXPLAIN_RESOURCES];
    bool is_known[EXPLAIN_RESOURCES];
    double dram_bytes;
    struct explain_stack stack;
    double all_ns; /* of all resources together, without launch overhead */
};

/* Sets dram_share of the kernel's accesses to global memory. `request` needs no work. */
void explain_share_dram(const struct kernel_time_request *request, struct explain_trace *trace);

void explain_kernel_time(const struct kernel_time_request *request, struct kernel_time *time);
