/* The lab's notes about a rung to base/under_way.h. */
#ifndef USKOR_LAB_BENCH_WATCH_H
#define USKOR_LAB_BENCH_WATCH_H

#include "lab/bench/candidate.h"

/* The candidate is in hand from now on: asked whether it can run, prepared, run, checked. */
void watch_begin(const struct candidate *candidate, const struct problem *problem);

#endif
