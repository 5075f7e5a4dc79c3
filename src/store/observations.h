/* The values of one side of a comparison: logarithms of times, as independent as the samples allow. */
#ifndef USKOR_STORE_OBSERVATIONS_H
#define USKOR_STORE_OBSERVATIONS_H

#include "store/matching.h"

#define UNITS_MOST 25
#define RUNS_LEAST 8 /* of a side, for its runs to be the values: enough to distinguish 64 pairs at 1 % together */

struct observations {
    double logs[UNITS_MOST];
    size_t count;
    double median; /* of the times, ns */
};

/* Whether a side has runs enough, with times of that phase, to compare runs instead of rounds. */
bool side_has_runs(const struct side *side, enum phase phase);

/* The latency between the cores: the median of the side's runs that have one; 0 when none has. */
double side_core_latency(const struct side *side);

/* The side's values: medians of rounds or, with `runs`, of runs; many are joined, neighbours first, by their medians.
 * None when there are no samples or memory is out. */
void observations_of(const struct side *side, enum phase phase, bool runs, struct observations *units);

#endif
