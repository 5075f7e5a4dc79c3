/* Rungs in a process of their own: what lab/verification/check.h and lab/bench/bench.h do, done by a child. A rung that
 * crashes, hangs, exits, stops, eats the memory, closes what is not its own or leaves processes behind is an ERROR with
 * that reason; every other rung keeps its verdict, and the run goes on in a new child. */
#ifndef USKOR_JUDGE_JUDGE_H
#define USKOR_JUDGE_JUDGE_H

#include "base/child_process.h"
#include "lab/bench/bench.h"
#include "lab/verification/check.h"

/* To be called first in main: the child's side of all that is done in a child. It returns in the program that the user
 * started. */
void judge_main(int argc, char **argv);

/* Zeroed but for `limits` it is ready; judge_close ends it. */
struct judge {
    struct child_limits limits;
    struct child_process child; /* checks one problem after the other; none at first */
    bool is_used;               /* it has run something already, and may have had its memory broken by that */
};

void judge_close(struct judge *judge);

/* lab_check, in a child. The device is the parent's own; the child opens the same. */
enum status judge_check(struct judge *judge, const struct problem *problem, struct device *device,
                        const struct rung *const *rungs, size_t count, const struct overrides *overrides,
                        struct measurement_list *list, struct error *error);

/* Compiles the user's rung (judge/user_rung.h) for a problem on a device, in a child. STATUS_INVALID when it does not
 * compile, with the compiler's words; STATUS_UNAVAILABLE when it cannot serve this problem there, with the reason. */
enum status judge_compile(const struct child_limits *limits, const struct problem *problem, const struct device *device,
                          const char *rung, struct error *error);

/* lab_bench, in a child: the clock, the rounds and the probes are there. Where a rung ends its child, the others are
 * timed anew without it. */
enum status judge_bench(const struct child_limits *limits, const struct problem *problem,
                        const struct candidate *candidates, size_t count, const struct bench_options *options,
                        struct measurement_list *list, struct error *error);

#endif
