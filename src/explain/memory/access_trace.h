/* Memory traffic of a device rung, access by access, on a machine without a GPU.
 *
 * The rung runs on a device of its own (explain/memory/trace_device.h), from its own source and over the real problem:
 * every load, store and atomic operation of every work-item in the traced groups is recorded, 32 items to a warp, and
 * counted by the published rules of the architectures asked for. Only untraced groups are estimated, from the traced
 * groups of their stratum (explain/memory/sample.h). docs/explain.md says how each number is made, and where it is
 * known to differ from a device's counters. */
#ifndef USKOR_EXPLAIN_MEMORY_ACCESS_TRACE_H
#define USKOR_EXPLAIN_MEMORY_ACCESS_TRACE_H

#include "explain/memory/rules.h"
#include "kernels/kernel.h"

#define EXPLAIN_RULES_MAX 4

enum explain_space {
    EXPLAIN_GLOBAL,
    EXPLAIN_SHARED,
};

enum explain_operation {
    EXPLAIN_LOAD,
    EXPLAIN_STORE,
    EXPLAIN_ATOMIC,
};

/* "global", "shared"; "load", "store", "atomic": for programs. */
const char *explain_space_name(enum explain_space space);
const char *explain_operation_name(enum explain_operation operation);

/* By one architecture's rules, of all launches of one run. A request is what the rules' transactions are counted for:
 * an access of a half-warp in 1.x, of a warp elsewhere; of a part of it where words are wide, in 2.x and 3.x. In shared
 * memory a transaction is one pass over the banks. */
struct explain_counts {
    double requests, transactions;
    double per_request;        /* transactions */
    double bytes_moved;        /* by the transactions */
    double bytes_used;         /* of those, by some item */
    double bytes_used_percent; /* … of those moved */
    double conflicts;          /* shared memory: passes beyond those that a conflict-free access takes */
    double conflicts_per_request;
};

/* One access in the source. */
struct explain_access {
    char file[256];  /* the rung's */
    char kernel[64]; /* function that was launched */
    int line;        /* 0: the compiler did not say */
    char array[64];  /* the kernel function's argument; in shared memory the array */
    enum explain_space space;
    enum explain_operation operation;
    unsigned bytes;       /* of one item's access */
    double warp_accesses; /* instructions that warps executed, with at least one lane at work */
    double items_percent; /* of 32 lanes, those at work in the mean: less than 100 where they diverge or groups end */
    /* Global memory: of the sectors of 32 bytes that no item of the group had touched before. The sum over a rung's
     * accesses is what a first cache that keeps all that a group touches would fetch; without one, it is bytes_moved.
     */
    double first_bytes;
    double array_bytes; /* of global memory: the buffer's */
    double lines;       /* of global memory: lines of 128 bytes, each once for each access of a warp */
    struct explain_counts counts[EXPLAIN_RULES_MAX]; /* in the order of the rules */
    struct warp_access sample; /* one of them, with the most lanes at work, for a picture: where its lanes are */
};

/* Two items of a group touch the same byte of shared memory without a barrier between them, and one writes. */
struct explain_race {
    char file[256];
    int lines[2]; /* of the two accesses */
    char array[64];
};

struct explain_trace {
    struct explain_access *accesses; /* in the order of file, line and operation */
    size_t access_count;
    struct explain_race *races;
    size_t race_count;
    uint64_t launches, groups;
    uint64_t groups_traced; /* when it is `groups`, every count is exact */
    bool is_of_code;        /* the rung could not be traced: its accesses are those of its machine code, executed
                               (explain/machine/count.h) */
    bool data_decides;      /* what is accessed: other data give other counts */
    bool saw_all_data; /* false: launches were too large to run all groups, so that later ones read zeros where those
                          had not written; what data decide is not to be trusted then */
    char barrier_missed[64]; /* a kernel function in which some items of a group miss a barrier; or "" */
};

struct explain_request {
    const struct rung *rung; /* a device rung */
    const struct problem *problem;
    struct parameters parameters;
    const char *capability; /* for what the rung's header asks of the device: "9.0" */
    uint64_t local_bytes_per_group;
    const struct memory_rules *rules;
    size_t rule_count; /* 1 … EXPLAIN_RULES_MAX */
    /* NULL, or called when the rung has run: its arrays as it left them, whole where all groups ran. */
    void (*inspect)(void *context, const struct array *arrays, struct host_arrays host);
    void *context;
};

/* Runs the rung once and counts. The caller frees the result with explain_trace_free. STATUS_UNAVAILABLE, in one line:
 * the rung cannot run there (its own reason), its source cannot be traced (CUDA C++, PTX), the machine has no C++
 * compiler, or no memory for the problem. STATUS_FAILED: the kernel leaves its arrays. */
enum status explain_trace_run(const struct explain_request *request, struct explain_trace *trace, struct error *error);
void explain_trace_free(struct explain_trace *trace); /* zeroed is fine */

#endif
