/* What `uskor explain` knows of a rung: counted from the compiler's output and the kernel's own source, and the time
 * that follows from the counts. No device is needed but to name it. Every part that could not be counted has its
 * reason. */
#ifndef USKOR_EXPLAIN_EXPLAIN_H
#define USKOR_EXPLAIN_EXPLAIN_H

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
    char architecture[EXPLAIN_ARCHITECTURE_MAX]; /* that the code is for: "sm_90", "x86-64" */
    char refusal[EXPLAIN_REASON_MAX];            /* why the rung does not run there; then nothing else is known */

    struct explain_compiled compiled;
    struct explain_occupancy *occupancies; /* of compiled.kernels, in their order; NULL where there are none */

    struct explain_trace trace;           /* by the rules of the target's architecture, counts[0] */
    char no_accesses[EXPLAIN_REASON_MAX]; /* why there are none; empty where there are */

    struct explain_caches caches;       /* of a CPU rung */
    char no_caches[EXPLAIN_REASON_MAX]; /* why there are none; empty where there are */

    struct explain_model model;
    double measured_ns; /* kernel time, the caller's to set; 0: none */
};

/* Explains one rung. A part that cannot be had leaves its reason; STATUS_OK all the same. The caller frees the result
 * with explanation_free (on failure it is empty). STATUS_INVALID: a problem too large to trace is not one, but an
 * unknown parameter is. */
enum status explain_rung(const struct explanation_request *request, struct explanation *explanation,
                         struct error *error);
void explanation_free(struct explanation *explanation);

/* The kernel that most of the work goes to: the most warps launched. NULL where nothing was compiled. */
const struct explain_kernel *explanation_main_kernel(const struct explanation *explanation);

/* One line for a ladder: "writes: 32 sectors a request → 4; bound by DRAM, then by bank conflicts". `before` is the
 * rung it follows, or NULL. Returns `text`. */
const char *explanation_step(const struct explanation *before, const struct explanation *explanation, char *text,
                             size_t size);

#endif
