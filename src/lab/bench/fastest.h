/* The rungs that are worth an exact comparison. */
#pragma once

#include "lab/bench/bench.h"
#include "lab/bench/candidate.h"
#include "store/measurement.h"

/* The options of a first look at all candidates: their times, roughly, without verification. */
struct bench_options fastest_look(const struct bench_options *options);

/* Gives each candidate whose rung choose_rung takes the choice's parameters: it is to be timed as it would run. */
void fastest_take_choice(const struct problem *problem, struct candidate *candidates, size_t count);

/* Keeps, on each device: the fastest rung of the look that is not a library's, the libraries' rungs that take at most
 * four times the fastest one's time, and the rung that choose_rung takes, if it is a candidate. Of a device where no
 * rung could be timed all are kept, for their reasons. Moves them to the front of `candidates`, in their order, and
 * returns their number. */
size_t fastest_keep(const struct problem *problem, const struct measurement_list *look, struct candidate *candidates,
                    size_t count);
