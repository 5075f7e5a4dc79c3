/* Verifies without timing: every rung, on the sizes where errors are common. */
#pragma once

#include "lab/bench/candidate.h"
#include "store/measurement.h"

/* Verifies the rungs on one problem and device. Each runs on two sets of inputs: the problem's own, and one from an
 * unpredictable seed, which a failure's reason names. Adds a measurement without samples for each rung: a skipped one
 * where the device has no room for the problem. On the CPU
 * device the arrays of our own rungs lie between guard pages if a fault may end the process (guard_pages_allowed).
 *
 * Returns: STATUS_INTERRUPTED after Ctrl-C. */
enum status lab_check(const struct problem *problem, struct device *device, const struct rung *const *rungs,
                      size_t count, const struct overrides *overrides, struct measurement_list *list,
                      struct error *error);

/* The same; calls `done` for each measurement once its verdict is known. `done` may end the process. */
enum status lab_check_each(const struct problem *problem, struct device *device, const struct rung *const *rungs,
                           size_t count, const struct overrides *overrides,
                           void (*done)(void *context, struct measurement *measurement), void *context,
                           struct measurement_list *list, struct error *error);

enum check_extent {
    CHECK_ALL,
    CHECK_LARGE, /* only the problem of 2^31 elements */
    CHECK_SMALL, /* small enough for sanitizers */
    CHECK_TINY,  /* small enough for simulators; one type of each size */
};

/* Lists the kernel's edge cases for every element size (for every type where arithmetic is done). For the CPU device,
 * which is fast, there are more small ones, for every type. Problems that are drawn at random follow (check_draws.h);
 * with a `seed` of 0 there are none. The caller frees *problems with free(). */
enum status check_problems(const struct kernel *kernel, enum check_extent extent, const struct device *device,
                           uint32_t seed, struct problem **problems, size_t *count, struct error *error);

/* Whether the CPU device checks it in a negligible time. */
bool check_is_light(const struct problem *problem);

/* STATUS_UNAVAILABLE, with the reason, when the machine lacks the memory to check this problem. */
enum status check_memory(const struct problem *problem, struct error *error);
