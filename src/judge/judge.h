/* Rungs in a child process: it does the work of lab/verification/check.h and lab/bench/bench.h. A rung that crashes,
 * hangs, exits, stops, exhausts memory, closes others' files or leaves processes behind is an ERROR with that reason.
 * Every other rung keeps its verdict, and the run continues in a new child. */
#pragma once

#include "base/child_process.h"
#include "lab/bench/bench.h"
#include "lab/verification/check.h"

/* Must be the first call in main. In a child process it does the child's work and exits; in the program that the user
 * started it returns. */
void judge_main(int argc, char **argv);

/* Zero-initialize it and set `limits`; judge_close frees it. */
struct judge {
    struct child_limits limits;
    struct child_process child; /* checks one problem after the other; not started at first */
    uint64_t memory_most;       /* what the child may have at most, of what there is */
    bool is_used;               /* it has run a rung, which may have damaged its memory */
};

void judge_close(struct judge *judge);

/* lab_check in a child, which opens the device itself; `device` is the parent's. */
enum status judge_check(struct judge *judge, const struct problem *problem, struct device *device,
                        const struct rung *const *rungs, size_t count, const struct overrides *overrides,
                        struct measurement_list *list, struct error *error);

/* Compiles the user's rung (judge/user_rung.h) for a problem on a device, in the child that checks it afterwards;
 * without a device (NULL), a file in CUDA C, by NVRTC alone.
 *
 * Returns: STATUS_INVALID with the compiler's message when it does not compile; STATUS_UNAVAILABLE with the reason when
 * it does not support this problem on this device. */
enum status judge_compile(struct judge *judge, const struct problem *problem, const struct device *device,
                          const char *rung, struct error *error);

/* A child that compiles what a bench is about to time, so that it is in the runtime's cache then. */
struct judge_ahead {
    struct child_process child; /* zeroed: none */
    size_t stages;              /* that it has told to be done */
    int64_t last_stage;         /* when it ended the last of them, by base/clock.h; 0: none */
};

/* How much more than the judge's process the child lets others go first: for the ladder, and then for libraries. */
#define AHEAD_NICENESS 1
#define AHEAD_LIBRARY_NICENESS 10

/* Has a child run each candidate of one device once on the problem, and with `options->probe_ceilings` its ceilings'
 * probes, unchecked (lab/bench/compile_ahead.h); does not wait. STATUS_SYSTEM when the system starts no process,
 * STATUS_UNAVAILABLE without memory. */
enum status judge_ahead_start(struct judge_ahead *ahead, const struct child_limits *limits,
                              const struct problem *problem, const struct candidate *candidates, size_t count,
                              const struct bench_options *options, struct error *error);

/* Waits until the child has completed `stages` stages, or until the time `until` (base/clock.h; 0: as long as it
 * shows signs of life).
 * The first stage is the ladder with the probes, each further one a library, in the candidates' order. A rung that ends
 * the child does so again, with its reason, in the bench. Returns false when they were not done in time. */
bool judge_ahead_wait(struct judge_ahead *ahead, size_t stages, int64_t until);

/* Ends the child at once. */
void judge_ahead_stop(struct judge_ahead *ahead);

/* lab_bench in a child, which does the timing, the rounds and the probes. When a rung ends the child, the others are
 * timed again without it. */
enum status judge_bench(const struct child_limits *limits, const struct problem *problem,
                        const struct candidate *candidates, size_t count, const struct bench_options *options,
                        struct measurement_list *list, struct error *error);
