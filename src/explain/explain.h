/* The explanation of a rung: counts from the compiler's output and the kernel's own source, and the time that follows
 * from them. A device is needed only as a target. Every part that could not be counted has its reason. */
#pragma once

#include "explain/compiled/compiled.h"
#include "explain/memory/access_trace.h"
#include "explain/model/model.h"
#include "explain/occupancy/occupancy.h"
#include "explain/target.h"

#define EXPLAIN_REASON_MAX 512

struct explanation_request {
    const struct problem *problem;
    const struct rung *rung;
    const struct parameters *parameters; /* NULL: the rung's defaults */
    const struct explain_target *target;
    const void *code; /* of a user's rung in C: its function, in the module that has it; NULL for all others */
};

struct explanation {
    const struct rung *rung;
    struct parameters parameters;
    char architecture[EXPLAIN_ARCHITECTURE_MAX]; /* the code's architecture: "sm_90", "x86-64" */
    char refusal[EXPLAIN_REASON_MAX];            /* why the rung does not run there; every other part is then empty */

    struct explain_compiled compiled;
    struct explain_occupancy *occupancies; /* one for each of compiled.kernels; NULL when there are none */

    struct explain_trace trace;           /* counts[0]: by the rules of the target's architecture */
    bool is_wrong;                        /* it went wrong in the trace (no_accesses): it has no model */
    char no_accesses[EXPLAIN_REASON_MAX]; /* why the trace is empty; "" when it is not */

    struct explain_caches caches;       /* of a CPU rung */
    char no_caches[EXPLAIN_REASON_MAX]; /* why there are none; empty where there are */

    struct explain_model model;
    double measured_ns; /* kernel time, set by the caller; 0: none */
};

/* Explains one rung. A part that cannot be had leaves its reason, and the status is still STATUS_OK; so does a problem
 * too large to trace. The caller frees the result with explanation_free; on failure it is empty.
 *
 * Returns: STATUS_INVALID for an unknown parameter. */
enum status explain_rung(const struct explanation_request *request, struct explanation *explanation,
                         struct error *error);
void explanation_free(struct explanation *explanation);

/* The kernel that launches the most warps; NULL when nothing was compiled. It belongs to the explanation. */
const struct explain_kernel *explanation_main_kernel(const struct explanation *explanation);

/* Writes one line for a ladder to `text`: "writes: 32 sectors a request → 4; bound by DRAM, then by bank conflicts".
 * `before` is the preceding rung, or NULL. Returns `text`. */
const char *explanation_step(const struct explanation *before, const struct explanation *explanation, char *text,
                             size_t size);
