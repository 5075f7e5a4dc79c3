/* Inputs that each rank makes, and results that each rank judges, for its own part alone: for problems that no rank can
 * hold whole. Any rank can make any other's inputs again, one rank's at a time. */
#pragma once

#include "distributed/ranks/method.h"

/* Makes of one rank's problem that of `count` ranks. */
void own_parts_grow(struct problem *problem, size_t count);

/* Writes this rank's parts of the inputs, by the kernel's own generator from a seed of its own. Not collective. */
enum status own_parts_fill(const struct method_run *run, uint32_t seed, struct error *error);

/* Collective: judges every element of the results in run->parts, with the kernel's own check where it knows a part.
 * STATUS_FAILED with the reason, not the same on every rank: the caller makes the ranks agree. */
enum status own_parts_judge(const struct method_run *run, uint32_t seed, double *worst, struct error *error);
