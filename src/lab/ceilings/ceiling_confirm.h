/* A ceiling in doubt: a probe that finds its strategy anew, and a rung that is timed once more beside it. */
#ifndef USKOR_LAB_CEILINGS_CEILING_CONFIRM_H
#define USKOR_LAB_CEILINGS_CEILING_CONFIRM_H

#include "lab/bench/bench_record.h"

/* Times the rung and its ceiling's probe, which first finds its fastest strategy anew, in turns. True when the rung is
 * too fast beyond doubt (lab/ceilings/too_fast.h): `share` is how many times faster. Else the samples of both join
 * their measurements, and where the probe was faster than before its new samples are the ceiling's: the ceiling is
 * mended. Samples of the rung are looked at as in the rounds, and one run more; one that is wrong concludes it, and the
 * answer is false. `passes` as of too_fast. */
bool ceiling_confirm(struct bench *bench, struct runner *runner, struct runner *probe, double passes, double *share);

/* Lets a probe of memory find its strategy anew when the cores are elsewhere than when it did so last; for others,
 * nothing. */
enum status ceiling_follow_cores(struct bench *bench, struct runner *runner, struct error *error);

#endif
