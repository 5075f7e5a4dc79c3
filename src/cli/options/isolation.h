/* --isolate, --no-isolate and --limit: which rungs run in a process of their own. */
#pragma once

#include <stdbool.h>

#include "lab/bench/bench.h"

enum isolation_wish {
    ISOLATION_BY_DEVICE, /* the command's default; OpenCL on a CPU always */
    ISOLATION_ALWAYS,
    ISOLATION_NEVER,
};

struct isolation {
    enum isolation_wish wish;
    bool guards_vendors; /* by the command: libraries of others are in a child, with all that is timed beside them */
    double seconds;      /* without a sign of life; 0: the default (CHILD_SECONDS) */
};

/* Whether rungs of these devices, which run side by side, are to be in a child. `by_default`: of any device. */
bool isolation_wanted(const struct isolation *isolation, struct device *const *devices, size_t count, bool by_default);

/* Runs lab_bench, or judge_bench where the devices or the user require a child process. */
enum status isolation_bench(const struct isolation *isolation, const struct problem *problem,
                            const struct candidate *candidates, size_t count, const struct bench_options *options,
                            struct measurement_list *list, struct error *error);

/* halving_race (lab/bench/halving.h), in a child process where isolation_bench would be. */
enum status isolation_race(const struct isolation *isolation, const struct bench_options *options, size_t last,
                           const struct problem *problem, struct candidate *candidates, size_t *count,
                           struct error *error);

/* "10s", "2m", "0.5": seconds from 0.1 to 86400; false for another text. */
bool isolation_read_limit(const char *text, double *seconds);
