/* All combinations of some tunables' values, as candidates of one bench. */
#ifndef USKOR_LAB_BENCH_SWEEP_H
#define USKOR_LAB_BENCH_SWEEP_H

#include "lab/bench/candidate.h"

#define AXIS_VALUES_MAX 64

/* One tunable and the values to try. */
struct axis {
    char name[RUNG_NAME_MAX];
    int64_t values[AXIS_VALUES_MAX];
    size_t count;
};

/* Reads "BX=1..1024" (doubling), "BX=1..64x4", "BX=8..64+8" or "BX=8,16,32". */
enum status axis_parse(const char *text, struct axis *axis, struct error *error);

/* One candidate for each point of the axes, the last axis fastest; values the rung's tunable does not offer are an
 * error. The caller frees *candidates with free(). */
enum status sweep_candidates(struct device *device, const struct rung *rung, const struct problem *problem,
                             const struct overrides *overrides, const struct axis *axes, size_t axis_count,
                             struct candidate **candidates, size_t *count, struct error *error);

#endif
