/* Parts of uskor tune. */
#pragma once

#include "choice/transfers.h"
#include "choice/tuned.h"
#include "cli/options/bench_session.h"

/* Times the candidates for 10 ms each, then those that are near the fastest again, longer and interleaved. Adds the
 * medians to the entry, which has none. Nothing is verified. */
enum status tune_look(const struct bench_session *session, const struct problem *problem,
                      const struct candidate *candidates, size_t count, struct tuned_entry *entry, struct error *error);

/* uskor tune: what it costs to use a device (choice/transfers.h). */

/* Whether the file at `path` has it of this device and its driver. */
bool tune_transfers_known(const struct device *device, const char *path);

/* Measures it, in about three seconds; copies are verified. */
enum status tune_transfers(struct device *device, struct transfers *transfers, struct error *error);

/* The search of tunables in `uskor tune`: successive halving over the values of the fastest rungs' parameters. */

/* `entry` has the times of rungs with their defaults; `candidates` are those rungs. Where other values are faster than
 * a rung's defaults, both receive them. */
enum status tune_tunables(const struct bench_session *session, struct tuned_entry *entry, struct candidate *candidates,
                          size_t count, struct error *error);

/* Compares a combination with the same rung's defaults, and keeps it as tune_tunables does. */
enum status tune_compare(const struct bench_session *session, struct tuned_entry *entry, const struct candidate *winner,
                         struct candidate *candidates, size_t count, struct error *error);

/* The rung's time in the entry; NULL where it has none. */
struct tuned_time *tune_time_of(struct tuned_entry *entry, const struct rung *rung);
