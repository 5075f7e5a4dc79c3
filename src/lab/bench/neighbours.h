/* The rungs that a user's rung is timed with. */
#pragma once

#include "lab/bench/bench.h"
#include "lab/bench/candidate.h"
#include "store/measurement.h"

#define NEIGHBOURS_MOST 8

/* Chooses from a quick measurement of all candidates: the ladder's first rung that runs, those closest to `mine` in
 * time, the fastest, the libraries, and `mine`. Writes at most NEIGHBOURS_MOST of them to `chosen`, in the candidates'
 * order; returns their number. */
size_t neighbours_choose(const struct rung *mine, const struct measurement_list *look, const struct candidate *all,
                         size_t count, struct candidate *chosen);

/* lab_bench of the candidates that tell the place of options->neighbours_of. One rough bench of all of them finds
 * these.
 */
enum status neighbours_bench(const struct problem *problem, const struct candidate *candidates, size_t count,
                             const struct bench_options *options, struct measurement_list *list, struct error *error);
