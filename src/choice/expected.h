/* What a rung's time grows with: its load, or the shape of its launches on a GPU. */
#pragma once

#include "kernels/kernel.h"

/* Of a run with the rung's defaults; 0 where nothing is known of the rung. Ratios between problems are meant: another
 * device may be faster or slower as a whole. */
double expected_time(const struct rung *rung, const struct problem *problem, const struct device *device, int threads);

/* Whether that is nanoseconds, about, so that ratios between rungs mean something, too. */
bool expected_is_time(const struct rung *rung, const struct problem *problem, const struct device *device);
