/* The time that a rung's launches take on a GPU, by their shape. */
#pragma once

#include "kernels/kernel.h"

/* Nanoseconds of a run with the rung's defaults, about; 0 where nothing is known of the rung. Ratios between rungs and
 * problems are meant: another GPU may be faster or slower as a whole. */
double expected_time(const struct rung *rung, const struct problem *problem, const struct device *device);
