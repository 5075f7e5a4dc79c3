/* What a rung's time grows with: its load, or the shape of its launches on a GPU. */
#pragma once

#include "kernels/kernel.h"

/* Of a run with the rung's defaults; 0 where nothing is known of the rung. With a rung->load, and on an OpenCL device
 * that is a CPU, it is in a unit of the rung's own: only ratios between problems mean something. Else nanoseconds,
 * about, where ratios between rungs do, too: another GPU may be faster or slower as a whole. */
double expected_time(const struct rung *rung, const struct problem *problem, const struct device *device, int threads);
