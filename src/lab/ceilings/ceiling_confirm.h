/* Confirms a doubtful ceiling: the probe searches for its fastest strategy again, and the rung is timed once more
 * beside it. */
#pragma once

#include "lab/bench/bench_record.h"

struct beaten_ceiling {
    double share;    /* the rung's rate over the ceiling's */
    bool is_certain; /* the rung used less CPU time than the probe, too; always on a GPU, whose clock is its own */
};

/* Times the rung and its ceiling's probe in turns. The probe first searches for its fastest strategy again. Both are
 * done three times as long as the rung is too fast.
 *
 * Returns true when the rung is too fast beyond doubt each time (lab/ceilings/too_fast.h); `found` is then the last
 * time's. Otherwise the samples of both join their measurements. Where the probe was faster than before, its new
 * samples replace the ceiling's. The rung's samples are audited as in the rounds, and one further run always is; a
 * wrong one concludes the rung, and the result is false. `passes` as in too_fast. */
bool ceiling_confirm(struct bench *bench, struct runner *runner, struct runner *probe, double passes,
                     struct beaten_ceiling *found);

/* Searches for a memory probe's fastest strategy again when the threads run on other cores than at the last search.
 * Does nothing for other probes. */
enum status ceiling_follow_cores(struct bench *bench, struct runner *runner, struct error *error);
