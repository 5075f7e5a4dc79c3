/* A bench at work: what it holds, and what becomes of its runners' measurements. */
#ifndef USKOR_LAB_BENCH_BENCH_RECORD_H
#define USKOR_LAB_BENCH_BENCH_RECORD_H

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

/* The runner's measurement. */
static inline struct measurement *bench_measured(const struct bench *bench, const struct runner *runner)
{
    return &bench->list->items[runner->measurement];
}

/* Writes down where the cores were, of what ran on the cpu now: a kept ceiling has its own. */
void bench_note_cores(const struct bench *bench, const struct runner *runner);

/* Hands a runner's measurement over: for good, or as it stands while others are still being timed. Does nothing before
 * all have been timed once. */
void bench_hand_over(const struct bench *bench, struct runner *runner, bool for_good);

/* Ends a runner's part with a verdict and its reason; a wrong rung's times are not kept. */
void bench_conclude(const struct bench *bench, struct runner *runner, enum verdict verdict, const char *reason);

#endif
