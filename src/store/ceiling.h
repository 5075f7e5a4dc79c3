/* The names of ceilings: peaks of a device, measured once and stored. A ceiling is taken from a measurement of the
 * kernel "ceiling" whose rung is its name; both are in the store (store_ceilings; store_measurements with that kernel,
 * all of them). Memory and caches are in GB/s, arithmetic in GFLOP/s, the clock in GHz; a reader distinguishes them by
 * the unit. */
#pragma once

#include <stdbool.h>

#include "store/store.h"

#define CEILING_KERNEL "ceiling"

/* In the order they are shown. */
enum ceiling_kind {
    CEILING_CLOCK,
    CEILING_ISSUE, /* instructions of a thread that wait for nothing */
    CEILING_FMA_F32,
    CEILING_FMA_F64,
    CEILING_TENSOR_BF16, /* of tensor cores: bfloat16, summed in float */
    CEILING_LOCAL_READ,  /* the local memory of a GPU's groups */
    CEILING_L1_READ,
    CEILING_L2_READ,
    CEILING_L3_READ,
    CEILING_DRAM_READ,
    CEILING_DRAM_COPY,
    CEILING_DRAM_TRIAD,
    CEILING_KINDS,
};

struct ceiling_info {
    const char *name; /* "fma-f32", … "dram-triad" */
    const char *unit;
    const char *counted; /* what the figure counts, for people */
};

const struct ceiling_info *ceiling_info(enum ceiling_kind kind);

/* CEILING_KINDS when no ceiling is called so. */
enum ceiling_kind ceiling_by_name(const char *name);

/* The names, in order, NULL-terminated. */
extern const char *const ceiling_names[];

/* Is it of memory or a cache: a slope of the roofline, not its level part? The clock is neither. */
bool ceiling_is_of_memory(enum ceiling_kind kind);
bool ceiling_is_of_arithmetic(enum ceiling_kind kind);

/* How many products of tensor cores the ceiling of that name does for one of the problem's: 6 of "tensor-6"; 0 when it
 * is not a ceiling of tensor cores. Their rate is the ceiling "tensor-bf16". */
unsigned tensor_products_of(const char *ceiling);

/* Whether a measurement of that kernel is good for a prediction: it passed, and noise does not void it (store/noise.h).
 * Others are neither stored nor used. */
bool ceiling_serves(const struct measurement *measurement);

/* … and for those of later runs: it is steady (ceiling_is_steady), or nothing disturbed it. Others are not stored; one
 * that is in the store all the same (its `id` is not 0) is not used. */
bool ceiling_lasts(const struct measurement *measurement);

/* The ceiling that a measurement of that kernel gives (its median); false when it does not serve. */
bool ceiling_of(const struct measurement *measurement, struct ceiling *ceiling);

/* A ceiling holds for good where it is steady: nine tenths of its samples, which are spread over all rounds, lie within
 * 5 % of each other. Else every bench measures its own ceiling, in its own rounds. `spread` (may be NULL) receives the
 * distance of the 95th percentile of the samples from the 5th, relative to the median. */
#define CEILING_STEADY 0.05
bool ceiling_is_steady(const struct measurement *measurement, double *spread);

/* The newest measurement in the list of this ceiling on this device; `threads` 0: the most threads there are. NULL when
 * there is none that serves. */
const struct measurement *ceiling_find(const struct measurement_list *list, const char *device, const char *device_name,
                                       const char *driver, unsigned threads, enum ceiling_kind kind);

/* … and of those the newest that was measured with the first two threads' cores as far apart as they are now
 * (store/cores.h), and without their moving meanwhile; NULL when `core_latency` is 0. */
const struct measurement *ceiling_find_with_cores(const struct measurement_list *list, const char *device,
                                                  const char *device_name, const char *driver, unsigned threads,
                                                  enum ceiling_kind kind, double core_latency);
