/* How long a bench will take, told before it begins. */
#pragma once

#include "lab/bench/bench.h"

/* Seconds that the candidates are estimated to take on this problem: on the clock, for their preparation, and for the
 * runs that are checked. Rough: from the problem's operations and bytes alone. */
double time_needed(const struct problem *problem, const struct candidate *candidates, size_t count,
                   const struct bench_options *options);

/* The same for `runs` checked runs of each rung that supports the problem, untimed. */
double time_needed_to_check(const struct problem *problem, const struct device *device, size_t rungs, double runs);

/* Says on standard error how long it takes, where that is minutes: "about 14 min, 9 of them on OpenCL on a CPU;
 * --device cpu leaves that out", or what takes less. */
void time_needed_tell(double seconds, double rehearsed, const char *what_takes_less);
