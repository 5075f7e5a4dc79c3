/* bench --profile: one launch of each rung inside a profiler's range. */
#pragma once

#include <stdio.h>

#include "lab/bench/candidate.h"

/* Runs each candidate that takes the problem once outside the range, as it is compiled and its memory is touched then,
 * restores its inputs, and runs it once inside. Nothing is timed or checked. Devices without such a range are left out;
 * STATUS_UNAVAILABLE where no candidate remains. */
enum status profile_all(FILE *stream, const struct problem *problem, const struct candidate *candidates, size_t count,
                        struct error *error);
