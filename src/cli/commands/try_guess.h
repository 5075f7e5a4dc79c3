/* What a wrong answer of a user's kernel is probably due to. */
#pragma once

#include "kernels/kernel.h"
#include "store/measurement.h"

/* A kernel that wrote past an array, and was started with more items than that has elements, lacks a test of its
 * bounds: adds that to the measurement's reason. */
void try_guess(const struct rung *rung, const struct problem *problem, struct measurement *wrong);
