/* The time of one warp that has the multiprocessor to itself. Its instructions issue in order, each at the clock that
 * its control bits allow (struct code_control). */
#pragma once

#include "explain/compiled/compiled.h"
#include "explain/memory/access_trace.h"

/* Clocks from an instruction's issue until a dependent one may issue. */
struct latencies {
    double l1, l2, dram;    /* loads of global memory, by what holds the data */
    double shared, texture; /* loads from shared memory; from textures */
    double atomic;          /* of global memory */
    double unit;            /* roots, conversions, shuffles, special registers */
    double barrier;
    double strong;    /* a volatile load, behind a store to the same word */
    double published; /* what another group has just stored: from L2 */
    double products,
        warp_products; /* multiply-adds of a multiprocessor's tensor cores per clock: wgmma's, mma.sync's */
};

/* Returns the clocks of one warp. `rounds` are those of all `warps` together (explain_rounds). 0 when the listing has
 * no control bits. */
double timeline_of_warp(const struct explain_kernel *kernel, const struct explain_trace *trace, const double *rounds,
                        const double *parts, double warps, const struct latencies *latencies);
