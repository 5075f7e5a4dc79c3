/* The model of a rung's time: the time that each resource of the device needs for the counted work at its ceiling, and
 * the total that follows. docs/explain.md states each rule. No constant is fitted to a rung. */
#pragma once

#include <stdbool.h>

#include "explain/cache/cache_trace.h"
#include "explain/compiled/compiled.h"
#include "explain/memory/access_trace.h"
#include "explain/occupancy/occupancy.h"
#include "explain/target.h"

enum explain_resource {
    RESOURCE_DRAM,    /* bytes that no cache holds */
    RESOURCE_CAMPING, /* of 1.x: the bytes of the busiest memory partition, while other partitions wait */
    RESOURCE_L2,      /* bytes that each group loads for the first time, and all stored bytes */
    RESOURCE_ATOMICS, /* operations on one address of global memory, one after another in L2 */
    RESOURCE_L3,      /* of a CPU: lines from its third cache */
    RESOURCE_L1,      /* L1 lines, and memory instructions */
    RESOURCE_SHARED,  /* passes over the banks of local memory, and data from L1, which uses the same banks */
    RESOURCE_FMA,     /* arithmetic of floats */
    RESOURCE_FP64,    /* … of doubles */
    RESOURCE_TENSOR,  /* … on tensor cores */
    RESOURCE_INTEGER, /* … of integers and addresses */
    RESOURCE_SPECIAL, /* roots, conversions */
    RESOURCE_ISSUE,   /* all instructions, one per clock and scheduler */
    RESOURCE_PAGES,   /* of a CPU: translations of addresses that no buffer has */
    RESOURCE_LATENCY, /* consecutive warps, at the number that is resident */
    RESOURCE_GROUPS,  /* the groups' starts */
    RESOURCE_TAIL,    /* multiprocessors that are idle in the last wave */
    RESOURCE_LAUNCH,  /* … */
    EXPLAIN_RESOURCES,
};

/* "dram", "l2", … */
extern const char *const explain_resource_keys[EXPLAIN_RESOURCES];
/* For people, translated when shown. */
extern const char *const explain_resource_titles[EXPLAIN_RESOURCES];

/* Bytes of the items' own memory, of all launches: local arrays and spills. */
struct explain_stack {
    double loaded, stored; /* by the instructions */
    double l2, dram;       /* from and to these: all that is stored, and what the first cache has not */
};

struct explain_model {
    double ns[EXPLAIN_RESOURCES];      /* 0: no work, or unknown */
    bool is_known[EXPLAIN_RESOURCES];  /* both the counts and the ceiling are known */
    enum explain_resource bound_by[3]; /* the three longest resources, longest first; `bound_count` of them are valid */
    int bound_count;
    size_t longest;                /* the kernel that takes most of the time, in compiled->kernels */
    double longest_ns;             /* … over all its launches; 0: unknown */
    double predicted_ns;           /* of all resources together (docs/explain.md) and the launches; 0: unknown */
    double executed[CODE_CLASSES]; /* warp instructions; 0 where no code was read */
    double operations;             /* the problem's minimum */
    double dram_bytes;             /* from and to DRAM; the problem's minimum without a trace */
    double moved_bytes;            /* of global memory's traced transactions; 0: not traced */
    double intensity;              /* operations per byte moved; traced bytes where they are known */
    struct explain_stack stack;
    double units;               /* of the device: multiprocessors */
    double balance;             /* of the device: operations per byte of DRAM; 0: unknown */
    unsigned partitions;        /* of its memory, where groups were seen in them; else 0 */
    double partition_imbalance; /* time of the busiest one over an even distribution; 0: unknown */
};

/* The work of one of a rung's kernels, over all its launches. */
struct kernel_work {
    double warps;
    double executed[CODE_CLASSES], issued; /* warp instructions */
    double pipes[CODE_PIPES];              /* warp instructions by unit */
    double barriers;
    double stack_loaded, stack_stored; /* bytes of the items' own memory: local arrays and spills */
    double alone_l2, alone_dram;       /* clocks of one warp alone on a multiprocessor: all data in L2; or each array's
                                          share of them (explain_access.dram_share) in DRAM */
};

struct model_request {
    const struct problem *problem;
    const struct rung *rung;
    const struct explain_target *target;
    const struct explain_compiled *compiled;
    const struct explain_occupancy *occupancies; /* one for each of compiled->kernels; may be NULL */
    struct explain_trace *trace;                 /* may be empty; counts[0]; its partitions are sorted */
    const struct explain_caches *caches;         /* of a host rung; NULL or empty: not traced */
};

/* Counts the work of one kernel. `operations` are the problem's: without a trace, the loop with the most multiply-adds
 * is assumed to do them. `at_once` groups are resident on the device. False when the kernel's instructions are not
 * known. */
bool explain_kernel_work(const struct explain_compiled *compiled, size_t kernel, const struct explain_trace *trace,
                         double operations, double at_once, struct kernel_work *work);

void explain_model_make(const struct model_request *request, struct explain_model *model);

/* Writes how often the launch's warps execute each loop to `rounds` (kernel->loop_count), from the traced requests of
 * the lines of its loads and stores; one round per warp where that is unknown. `share` of these requests is this
 * kernel's (explain_kernel_share). Returns the number of warps. */
double explain_rounds(const struct explain_kernel *kernel, const struct explain_trace *trace, double share,
                      double *rounds);

/* Fills in rounds that are 0, of loops without accesses, from the executions of their lines. */
void explain_rounds_of_lines(const struct explain_kernel *kernel, const struct explain_trace *trace, double share,
                             double *rounds);

/* Executions of a source line by warps, in the trace; 0: unknown. */
double explain_line_warps(const struct explain_kernel *kernel, const struct explain_trace *trace, int line);

/* Writes the part of its loop's rounds in which each instruction is executed to `parts` (kernel->instruction_count). It
 * is below 1 where a branch skips the instruction and the trace shows how often. */
void explain_parts(const struct explain_kernel *kernel, const struct explain_trace *trace, double share, double warps,
                   const double *rounds, double *parts);

/* Whether the instruction is of the access's line and makes such accesses. */
bool explain_is_of_line(const struct explain_instruction *instruction, const struct explain_access *access);
