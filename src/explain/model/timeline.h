/* How long one warp takes for a kernel when it has the multiprocessor for itself: its instructions one after the other,
 * each when the compiler's own remarks let it begin (struct code_control). */
#ifndef USKOR_EXPLAIN_MODEL_TIMELINE_H
#define USKOR_EXPLAIN_MODEL_TIMELINE_H

#include "explain/compiled/compiled.h"
#include "explain/memory/access_trace.h"

/* Clocks from an instruction's start until what waits for it may go on. */
struct latencies {
    double global, l1, shared, texture; /* loads: past the first cache; from it; from shared memory; … */
    double atomic;                      /* of global memory */
    double unit;                        /* roots, conversions, exchanges between lanes, special registers */
    double barrier;
    double strong; /* a volatile load, behind a store to the same word */
};

/* Clocks of one warp. `rounds` are of all `warps` together (explain_rounds); instructions whose `parts` are less than a
 * half are passed over. 0 where the listing has no remarks. */
double timeline_of_warp(const struct explain_kernel *kernel, const struct explain_trace *trace, const double *rounds,
                        const double *parts, double warps, const struct latencies *latencies);

#endif
