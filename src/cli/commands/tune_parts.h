/* Parts of uskor tune. */
#pragma once

#include "choice/transfers.h"
#include "choice/tuned.h"
#include "cli/options/bench_session.h"
#include "lab/bench/candidate.h"
#include "store/measurement.h"

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

/* Kernel Tuner's cache files (github.com/KernelTuner/kernel_tuner): the measured times of a rung's combinations of
 * parameters, in JSON. Its strategies can be compared on such a file without a device (simulation_mode), and what it
 * has found can be taken over. */

/* Writes the rung's measurements on the device; combinations that were not timed are there with the reason. Nothing is
 * left where writing fails, and an existing file is refused. */
enum status kernel_tuner_write(const char *path, const struct measurement_list *list, const struct rung *rung,
                               const struct device *device, struct error *error);

/* The candidate of the file's rung ("kernel_name": "transpose/naive"), with the parameters of the file's least time.
 * STATUS_INVALID says what is wrong: no such file, a rung that is none of the candidates', a parameter or a value that
 * it does not offer, no time. */
enum status kernel_tuner_read(const char *path, const struct candidate *candidates, size_t count,
                              struct candidate *winner, struct error *error);
