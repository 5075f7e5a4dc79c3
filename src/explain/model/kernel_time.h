/* The time of one kernel's launches on a GPU, by resource (docs/explain.md). */
#ifndef USKOR_EXPLAIN_MODEL_KERNEL_TIME_H
#define USKOR_EXPLAIN_MODEL_KERNEL_TIME_H

#include "explain/model/model.h"

struct kernel_time_request {
    const struct explain_target *target;
    const struct explain_kernel *kernel;
    const struct explain_trace *trace; /* may be empty */
    const struct kernel_work *work;    /* NULL: its instructions are not known */
    double share;                      /* of the function's accesses that are this kernel's */
    double groups, rounds;             /* of all launches; groups of the busiest multiprocessor, one after the other */
    double together;                   /* groups that are resident on a multiprocessor */
    double stretch;                    /* the busiest multiprocessor's groups over the mean */
    bool fits_l2;                      /* all arrays of the rung together: nothing comes from memory */
    double tensor_operations, least_bytes; /* that the rung's problem names and no trace tells; 0: none */
};

struct kernel_time {
    double ns[EXPLAIN_RESOURCES];
    bool is_known[EXPLAIN_RESOURCES];
    double dram_bytes;
    double all_ns; /* of all resources together, without what launches cost */
};

void explain_kernel_time(const struct kernel_time_request *request, struct kernel_time *time);

#endif
