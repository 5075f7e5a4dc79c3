/* Parts of uskor bench. */
#pragma once

#include <stdio.h>

#include "cli/options/bench_session.h"
#include "lab/bench/candidate.h"

/* uskor bench KERNEL --devices: a ladder over several devices. */

/* The whole command from the session's start to its end: returns the exit code. `group` is what --devices says; `weak`:
 * the problem grows with the devices. */
int run_bench_devices(struct bench_session *session, const char *group, bool weak);

/* uskor bench started by mpirun: the kernels' methods over ranks. */

struct ranks_request {
    bool weak;           /* the problem grows with the ranks, and no rank holds the whole */
    const char *refused; /* an option that is not honoured over ranks; NULL: there is none */
};

/* The options that are honoured, NULL-terminated; all others are refused. */
extern const char *const options_over_ranks[];

/* Verifies and times each method on 1, 2, 4 … ranks and on all of them. Rank 0 writes, and keeps the measurements.
 * Returns the exit code. */
int bench_over_ranks(struct bench_session *session, const struct ranks_request *request);

/* bench --profile: one launch of each rung inside a profiler's range. */

/* Runs each candidate that takes the problem once outside the range, as it is compiled and its memory is touched then,
 * restores its inputs, and runs it once inside. Nothing is timed or checked. Devices without such a range are left out;
 * STATUS_UNAVAILABLE where no candidate remains. */
enum status profile_all(FILE *stream, const struct problem *problem, const struct candidate *candidates, size_t count,
                        struct error *error);

/* Printing a small problem's arrays: runs the candidate once and prints every array, at most SHOW_ELEMENTS elements
 * each: larger problems are STATUS_INVALID. */
#define SHOW_ELEMENTS 256
enum status show_run(FILE *stream, const struct problem *problem, const struct candidate *candidate,
                     struct error *error);
