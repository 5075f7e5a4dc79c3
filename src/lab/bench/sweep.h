/* All combinations of the values of some tunables, as candidates of one bench. */
#pragma once

#include "lab/bench/candidate.h"

#define AXIS_VALUES_MAX 64

/* One tunable and the values to try. */
struct axis {
    char name[RUNG_NAME_MAX];
    int64_t values[AXIS_VALUES_MAX];
    size_t count;
};

/* Parses "BX=1..1024" (doubling), "BX=1..64x4" (a factor), "BX=8..64+8" (a step) or "BX=8,16,32". STATUS_INVALID for
 * malformed text and for more than AXIS_VALUES_MAX values. */
enum status axis_parse(const char *text, struct axis *axis, struct error *error);

/* Makes one candidate for each point of the axes; the last axis varies fastest. The caller frees *candidates with
 * free(); on failure both outputs are unchanged.
 *
 * Returns: STATUS_INVALID when the rung's tunable does not offer a value, or for more than 100000 points;
 * STATUS_UNAVAILABLE when out of memory. */
enum status sweep_candidates(struct device *device, const struct rung *rung, const struct problem *problem,
                             const struct overrides *overrides, const struct axis *axes, size_t axis_count,
                             struct candidate **candidates, size_t *count, struct error *error);
