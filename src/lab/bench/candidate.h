/* A candidate of a bench: a rung on a device, with its parameters. */
#pragma once

#include "kernels/kernel.h"

/* "NAME=VALUE" from the user. It applies to every rung with a tunable of that name. */
struct override {
    char name[RUNG_NAME_MAX];
    int64_t value;
};

struct overrides {
    struct override items[TUNABLES_MAX];
    size_t count;
};

/* Parses "TILE=32" and adds it. STATUS_INVALID for malformed text, or when there are too many (TUNABLES_MAX). */
enum status overrides_add(struct overrides *overrides, const char *text, struct error *error);

/* Checks the overrides against the tunables of these rungs. STATUS_INVALID when no rung has a tunable of that name (the
 * message names the closest one), or when the rungs that have it do not offer the value. */
enum status overrides_check(const struct overrides *overrides, const struct rung *const *rungs, size_t count,
                            struct error *error);

struct candidate {
    struct device *device;
    const struct rung *rung;
    struct parameters parameters;
};

/* Whether the candidate is a C rung of the ladder or of a user, on the CPU. Such code must stay within its arrays and
 * leave the process state unchanged. A vendor's library or driver may read past an array within its page, and set up
 * process state. */
bool candidate_is_own_code(const struct candidate *candidate);

/* Makes a candidate with the rung's default parameters for this problem, then applies the overrides that the rung
 * offers (overrides_check reports the others). `device` and `rung` are borrowed. `overrides` may be NULL. */
enum status candidate_make(struct device *device, const struct rung *rung, const struct problem *problem,
                           const struct overrides *overrides, struct candidate *candidate, struct error *error);

/* Writes "TILE=32 ROWS=8" to `text` (`size` bytes, cut if longer); an empty string when the rung has no tunables.
 * Returns `text`. */
const char *candidate_parameters(const struct candidate *candidate, char *text, size_t size);
