/* Who takes part in a bench: a rung on a device with its parameters. */
#ifndef USKOR_LAB_BENCH_CANDIDATE_H
#define USKOR_LAB_BENCH_CANDIDATE_H

#include "kernels/kernel.h"

/* "NAME=VALUE" from the user; applies to every rung that has a tunable of that name. */
struct override {
    char name[RUNG_NAME_MAX];
    int64_t value;
};

struct overrides {
    struct override items[TUNABLES_MAX];
    size_t count;
};

/* Reads "TILE=32" and adds it. */
enum status overrides_add(struct overrides *overrides, const char *text, struct error *error);

/* STATUS_INVALID when some override is a tunable of none of these rungs (closest name in the message) or has a value
 * that the rungs which have it do not offer. */
enum status overrides_check(const struct overrides *overrides, const struct rung *const *rungs, size_t count,
                            struct error *error);

struct candidate {
    struct device *device;
    const struct rung *rung;
    struct parameters parameters;
};

/* Whether a rung of the ladder or of a user runs in C on the cpu: it is held to its arrays' bounds, and to leaving the
 * process as it was. Libraries that we did not write may read beyond an array where no page ends, and set up what they
 * like; so may drivers. */
bool candidate_is_own_code(const struct candidate *candidate);

/* The rung's defaults for this problem with the overrides applied. */
enum status candidate_make(struct device *device, const struct rung *rung, const struct problem *problem,
                           const struct overrides *overrides, struct candidate *candidate, struct error *error);

/* "TILE=32 ROWS=8"; empty when the rung has no tunables. Returns `text`. */
const char *candidate_parameters(const struct candidate *candidate, char *text, size_t size);

#endif
