/* Which rungs a user's rung is timed with. */
#ifndef USKOR_LAB_BENCH_NEIGHBOURS_H
#define USKOR_LAB_BENCH_NEIGHBOURS_H

#include "lab/bench/candidate.h"
#include "store/measurement.h"

#define NEIGHBOURS_MOST 8

/* From a quick look at all candidates: the ladder's first rung that runs, those next to `mine` in time, the fastest,
 * the libraries, and `mine`. Writes at most NEIGHBOURS_MOST of them to `chosen`, in the candidates' order; returns how
 * many. */
size_t neighbours_choose(const struct rung *mine, const struct measurement_list *look, const struct candidate *all,
                         size_t count, struct candidate *chosen);

#endif
