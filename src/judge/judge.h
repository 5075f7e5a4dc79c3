/* Rungs in a child process: it does the work of lab/verification/check.h and lab/bench/bench.h. A rung that crashes,
 * hangs, exits, stops, exhausts memory, closes others' files or leaves processes behind is an ERROR with that reason.
 * Every other rung keeps its verdict, and the run continues in a new child. */
#ifndef USKOR_JUDGE_JUDGE_H
#define USKOR_JUDGE_JUDGE_H

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
    bool is_used;               /* it has run a rung, which may have damaged its memory */
};

void judge_close(struct judge *judge);

/* lab_check in a child, which opens the device itself; `device` is the parent's. */
enum status judge_check(struct judge *judge, const struct problem *problem, struct device *device,
                        const struct rung *const *rungs, size_t count, const struct overrides *overrides,
                        struct measurement_list *list, struct error *error);

/* Compiles the user's rung (judge/user_rung.h) for a problem on a device, in a child.
 *
 * Returns: STATUS_INVALID with the compiler's message when it does not compile; STATUS_UNAVAILABLE with the reason when
 * it does not support this problem on this device. */
enum status judge_compile(const struct child_limits *limits, const struct problem *problem, const struct device *device,
                          const char *rung, struct error *error);

/* lab_bench in a child, which does the timing, the rounds and the probes. When a rung ends the child, the others are
 * timed again without it. */
enum status judge_bench(const struct child_limits *limits, const struct problem *problem,
                        const struct candidate *candidates, size_t count, const struct bench_options *options,
                        struct measurement_list *list, struct error *error);

#endif
