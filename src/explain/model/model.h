/* The bounds of a rung's time (row E5): the time that each resource of the device needs for what was counted, against
 * its ceiling; and from that the time of the whole. docs/explain.md states each rule. Nothing is fitted to a rung. */
#ifndef USKOR_EXPLAIN_MODEL_MODEL_H
#define USKOR_EXPLAIN_MODEL_MODEL_H

#include <stdbool.h>

#include "explain/cache/cache_trace.h"
#include "explain/compiled/compiled.h"
#include "explain/memory/access_trace.h"
#include "explain/occupancy/occupancy.h"
#include "explain/target.h"

enum explain_resource {
    RESOURCE_DRAM,    /* bytes that no cache has */
    RESOURCE_L2,      /* bytes that groups load for the first time, and all that they store */
    RESOURCE_L3,      /* of a CPU: lines from its third cache */
    RESOURCE_L1,      /* lines of the first cache, and instructions that go to memory */
    RESOURCE_SHARED,  /* passes over the banks of local memory, and data of the first cache, which has the same banks */
    RESOURCE_FMA,     /* arithmetic of floats */
    RESOURCE_FP64,    /* … of doubles */
    RESOURCE_TENSOR,  /* … on tensor cores */
    RESOURCE_INTEGER, /* … of integers and addresses */
    RESOURCE_SPECIAL, /* roots, conversions */
    RESOURCE_ISSUE,   /* all instructions, one a clock for each scheduler */
    RESOURCE_PAGES,   /* of a CPU: translations of addresses that no buffer has */
    RESOURCE_LATENCY, /* warps one after the other, as many at once as are resident */
    RESOURCE_GROUPS,  /* their starts */
    RESOURCE_TAIL,    /* the last wave leaves multiprocessors idle */
    RESOURCE_LAUNCH,  /* … */
    EXPLAIN_RESOURCES,
};

/* "dram", "l2", … */
extern const char *const explain_resource_keys[EXPLAIN_RESOURCES];
/* For people, translated when shown. */
extern const char *const explain_resource_titles[EXPLAIN_RESOURCES];

struct explain_model {
    double ns[EXPLAIN_RESOURCES];      /* 0: nothing to do, or unknown */
    bool is_known[EXPLAIN_RESOURCES];  /* the counts and the ceiling are */
    enum explain_resource bound_by[3]; /* the longest, and the next two; the first `bound_count` of them */
    int bound_count;
    double predicted_ns;           /* of all resources together (docs/explain.md), and the launches; 0: unknown */
    double executed[CODE_CLASSES]; /* instructions of warps; 0 where no code was read */
    double operations;             /* the problem's least */
    double dram_bytes;             /* from and to DRAM; where nothing was traced, the problem's least */
    double moved_bytes;            /* by traced transactions of global memory; 0: not traced */
    double intensity;              /* operations for each byte moved, traced where it is known */
    double balance;                /* of the device: operations for each byte of DRAM; 0: unknown */
};

/* What one of a rung's kernels does in all its launches. */
struct kernel_work {
    double warps;
    double executed[CODE_CLASSES], issued; /* instructions of warps */
    double pipes[CODE_PIPES];              /* … by the unit that executes them */
    double barriers;
    double alone_l2,
        alone_dram; /* clocks of one warp that has a multiprocessor for itself, its data in L2, or in DRAM */
};

struct model_request {
    const struct problem *problem;
    const struct rung *rung;
    const struct explain_target *target;
    const struct explain_compiled *compiled;
    const struct explain_occupancy *occupancies; /* of compiled->kernels; may be NULL */
    const struct explain_trace *trace;           /* may be empty; counts[0] */
    const struct explain_caches *caches;         /* of a host rung; NULL or empty: not traced */
};

/* False where its instructions are not known. `operations` are the problem's: where nothing was traced, the loop that
 * has the most multiply-adds is taken to do them. */
bool explain_kernel_work(const struct explain_compiled *compiled, size_t kernel, const struct explain_trace *trace,
                         double operations, struct kernel_work *work);

void explain_model_make(const struct model_request *request, struct explain_model *model);

/* How often the warps of a launch execute each loop of the kernel, in `rounds` (kernel->loop_count), from the requests
 * that were traced for the lines of its loads and stores; 1 round per warp where it is unknown. `share` of these
 * requests is this kernel's (explain_kernel_share). Returns the warps. */
double explain_rounds(const struct explain_kernel *kernel, const struct explain_trace *trace, double share,
                      double *rounds);

/* Of the rounds of its loop, those in which warps execute each instruction, in `parts` (kernel->instruction_count):
 * less than 1 where a branch jumps over it, and the trace tells how often. */
void explain_parts(const struct explain_kernel *kernel, const struct explain_trace *trace, double share, double warps,
                   const double *rounds, double *parts);

/* Whether the kernel's function made the access. */
bool explain_is_access_of(const struct explain_access *access, const struct explain_kernel *kernel);

double explain_kernel_warps(const struct explain_kernel *kernel); /* of all its launches */

/* One function launched with several shapes is several kernels, and the trace knows functions: this kernel's share of
 * the function's warps. */
double explain_kernel_share(const struct explain_compiled *compiled, size_t kernel);

#endif
