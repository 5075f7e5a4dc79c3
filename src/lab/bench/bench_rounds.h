/* A bench at work: what it holds, and the rounds in which its rungs are timed. For lab/bench/bench.c alone. */
#ifndef USKOR_LAB_BENCH_BENCH_ROUNDS_H
#define USKOR_LAB_BENCH_BENCH_ROUNDS_H

#include "lab/bench/background_load.h"
#include "lab/bench/bench.h"
#include "lab/bench/core_latency.h"
#include "lab/bench/runner.h"

/* Everything one problem needs while it is benched. */
struct bench {
    const struct problem *problem;
    const struct bench_options *options;
    struct measurement_list *list;
    struct dataset data;
    struct workspace *workspaces; /* one per device in use */
    size_t workspace_count;
    bool is_disturbed; /* something was checked since the last sample */
    struct runner *runners;
    size_t runner_count;
    struct core_latencies distances;
    struct processor_times begun, ended; /* of the rounds */
    bool handing_over; /* from the first round's end on: who keeps measurements gets a ladder's in its order */
};

/* Tells the bench's owner what is going on. */
void bench_progress(const struct bench *bench, const char *what, double fraction);

struct measurement *bench_measured(const struct bench *bench, const struct runner *runner);

/* Hands a runner's measurement over: for good, or as it stands while others are still being timed. Does nothing before
 * all have been timed once. */
void bench_hand_over(const struct bench *bench, struct runner *runner, bool for_good);

/* Ends a runner's part with a verdict and its reason; a wrong rung's times are not kept. */
void bench_conclude(const struct bench *bench, struct runner *runner, enum verdict verdict, const char *reason);

/* Times all that is active in turns, round by round, until each figure is narrow, its time is spent or the user
 * interrupts. What fails on the way is concluded as an error. */
void bench_hold_rounds(struct bench *bench);

#endif
