/* The search of tunables in `uskor tune`: successive halving over the values of the fastest rungs' parameters. */
#pragma once

#include "choice/tuned.h"
#include "cli/options/bench_session.h"

/* `entry` has the times of rungs with their defaults; `candidates` are those rungs. Where other values are faster than
 * a rung's defaults, both receive them. */
enum status tune_tunables(const struct bench_session *session, struct tuned_entry *entry, struct candidate *candidates,
                          size_t count, struct error *error);

/* Compares a combination with the same rung's defaults, and keeps it as tune_tunables does. */
enum status tune_compare(const struct bench_session *session, struct tuned_entry *entry, const struct candidate *winner,
                         struct candidate *candidates, size_t count, struct error *error);

/* The rung's time in the entry; NULL where it has none. */
struct tuned_time *tune_time_of(struct tuned_entry *entry, const struct rung *rung);
