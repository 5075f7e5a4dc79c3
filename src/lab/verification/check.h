/* Verify without timing: every rung on the sizes where rungs go wrong. */
#ifndef USKOR_LAB_VERIFICATION_CHECK_H
#define USKOR_LAB_VERIFICATION_CHECK_H

#include "lab/bench/candidate.h"
#include "store/measurement.h"

/* Verifies the rungs on one problem and device, each on two sets of inputs (the problem's own, and one from an
 * unpredictable seed, which a failure's reason names), adding a measurement without samples for each. On the cpu device
 * the arrays of our own rungs lie between guard pages where the process may die of a fault (guard_pages_allowed).
 * STATUS_INTERRUPTED after Ctrl-C. */
enum status lab_check(const struct problem *problem, struct device *device, const struct rung *const *rungs,
                      size_t count, const struct overrides *overrides, struct measurement_list *list,
                      struct error *error);

/* The same, and `done` is called for each measurement once its verdict is known; it may end the process. */
enum status lab_check_each(const struct problem *problem, struct device *device, const struct rung *const *rungs,
                           size_t count, const struct overrides *overrides,
                           void (*done)(void *context, struct measurement *measurement), void *context,
                           struct measurement_list *list, struct error *error);

enum check_extent {
    CHECK_ALL,
    CHECK_LARGE, /* the one problem of 2^31 elements */
    CHECK_SMALL, /* what sanitizers get through quickly */
    CHECK_TINY,  /* what simulators get through: one type of each size, too */
};

/* The kernel's edge cases on every element size (every type where arithmetic is done); for the cpu device,
 * where all is quick, more of the small ones, and on every type. The caller frees *problems with free(). */
enum status check_problems(const struct kernel *kernel, enum check_extent extent, const struct device *device,
                           struct problem **problems, size_t *count, struct error *error);

/* Whether the cpu device gets through it in a blink. */
bool check_is_light(const struct problem *problem);

/* STATUS_UNAVAILABLE with the reason when the machine has not the memory to check this problem. */
enum status check_memory(const struct problem *problem, struct error *error);

#endif
