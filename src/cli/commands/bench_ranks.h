/* uskor bench started by mpirun: the kernels' methods over ranks. */
#pragma once

#include "cli/options/bench_session.h"

struct ranks_request {
    bool weak;           /* the problem grows with the ranks, and no rank holds the whole */
    const char *refused; /* an option that is not honoured over ranks; NULL: there is none */
};

/* The options that are honoured, NULL-terminated; all others are refused. */
extern const char *const options_over_ranks[];

/* Verifies and times each method on 1, 2, 4 … ranks and on all of them. Rank 0 writes, and keeps the measurements.
 * Returns the exit code. */
int bench_over_ranks(struct bench_session *session, const struct ranks_request *request);
