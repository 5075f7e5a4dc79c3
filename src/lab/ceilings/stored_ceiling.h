/* Stored ceilings in a bench: on a steady machine, a probe whose few runs meet the stored ceiling need not run in the
 * rounds. */
#pragma once

#include "lab/bench/runner.h"
#include "store/ceiling.h"

/* A probe whose time differs from the stored ceiling's by more than this fraction does not meet it: another size,
 * another clock. */
#define KEPT_TOLERANCE 0.03

/* Decides whether a stored ceiling replaces a probe, which is prepared and not yet timed. The stored ceiling must be of
 * the same device, driver and number of threads. It must suit the probe, be steady, and be met by a few runs of the
 * probe now. On a CPU with two threads, a ceiling of memory must have been measured with the same latency between the
 * cores.
 *
 * Returns true when it replaces the probe: its samples, scaled to the problem, are then those of `measurement`,
 * `detail` says so, and the probe is no longer needed. Otherwise the measurement is unchanged, and the probe takes part
 * in the rounds. */
bool stored_ceiling_serves(struct runner *probe, const struct measurement_list *ceilings, bool cold,
                           struct measurement *measurement);

/* The kind of ceiling that this probe measures on this problem; CEILING_KINDS when there is none. */
enum ceiling_kind stored_ceiling_kind(const struct rung *probe, const struct problem *problem);
