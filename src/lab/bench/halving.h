/* Successive halving (Jamieson and Talwalkar, 2016): which of many candidates is fastest, without timing all of them
 * for long. All are timed briefly, in interleaved rounds; the faster half is timed again, twice as long; and so on. */
#pragma once

#include "lab/bench/bench.h"

/* Times candidates, as lab_bench does; the session says whether in a child process. */
typedef enum status halving_bench(void *context, const struct problem *problem, const struct candidate *candidates,
                                  size_t count, const struct bench_options *options, struct measurement_list *list,
                                  struct error *error);

struct halving {
    halving_bench *bench;
    void *context;
    const struct bench_options *options; /* of the session; nothing is verified, whatever they say */
    size_t last;                         /* so many are left at the end; at least 1 */
};

/* Leaves the fastest in `candidates`, the fastest first, and their number in `*count`: 0 where none was timed. A
 * candidate that refuses, or fails, is out. */
enum status halving_race(const struct halving *halving, const struct problem *problem, struct candidate *candidates,
                         size_t *count, struct error *error);

/* All combinations of the values of a rung's tunables, at most `most` of them, and first its defaults; evenly from all
 * where there are more. Those that the rung refuses for this problem are left out: its header's `require:` and the
 * device's limits hold between tunables. The caller frees *candidates with free(). */
enum status halving_points(struct device *device, const struct rung *rung, const struct problem *problem, size_t most,
                           struct candidate **candidates, size_t *count, struct error *error);

/* Median nanoseconds of a candidate in a list; INFINITY where it has none. */
double halving_time(const struct measurement_list *list, const struct candidate *candidate);
