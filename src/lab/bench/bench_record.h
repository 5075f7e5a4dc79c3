/* The state of a running bench, and what happens to the measurements of its runners. */
#pragma once

#include "lab/bench/background_load.h"
#include "lab/bench/bench.h"
#include "lab/bench/core_latency.h"
#include "lab/bench/runner.h"

/* Whether heat slows a device down, and what a look at its sensors costs. */
struct heat {
    uint64_t throttles;
    bool is_hot;
    int64_t looked, cost; /* ns; 0: not known */
};

/* The state of one problem's bench. */
struct bench {
    const struct problem *problem;
    const struct bench_options *options;
    struct measurement_list *list;
    struct dataset data;
    struct workspace *workspaces; /* one per device in use */
    struct heat *heats;           /* of each workspace's device */
    size_t workspace_count;
    bool is_disturbed; /* a check has run since the last sample */
    struct runner *runners;
    size_t runner_count;
    struct core_latencies distances;
    struct processor_times begun, ended; /* of the rounds */
    bool handing_over; /* true from the end of the first round on: measurements are then passed in the ladder's order */
};

/* Of a bench's progress: all rungs are prepared and verified, and timed; the rest is the second verification. */
#define BENCH_ENTERED 0.3
#define BENCH_TIMED 0.8

/* Calls the progress callback, if there is one. */
void bench_progress(const struct bench *bench, const char *what, double fraction);

/* The runner's measurement. The list owns it; adding to the list may move it. */
static inline struct measurement *bench_measured(const struct bench *bench, const struct runner *runner)
{
    return &bench->list->items[runner->measurement];
}

/* Writes the core latencies of this bench into the measurement of a runner on the CPU. Does nothing for a stored
 * ceiling, which has its own. */
void bench_note_cores(const struct bench *bench, const struct runner *runner);

/* Passes the runner's measurement to the `finished` callback: finally (`for_good`), or provisionally while others are
 * still being timed. Does nothing before all runners have been timed once, or after the final call. */
void bench_hand_over(const struct bench *bench, struct runner *runner, bool for_good);

/* Ends a runner's part with a verdict and its reason, and passes its measurement on. The times of a wrong rung are
 * discarded. */
void bench_conclude(const struct bench *bench, struct runner *runner, enum verdict verdict, const char *reason);

/* The rounds in which a bench's rungs are timed. For lab/bench/bench.c alone. */

/* Times all active runners in turns, round by round, until each median is precise enough, its time is spent, or the
 * user interrupts. A rung that fails during the rounds gets the verdict ERROR, or FAIL for a wrong result. */
void bench_hold_rounds(struct bench *bench);
