/* Kept ceilings as ceilings: where the machine is steady, a probe that sees its ceiling again need not run in the
 * rounds.
 */
#ifndef USKOR_LAB_CEILINGS_STORED_CEILING_H
#define USKOR_LAB_CEILINGS_STORED_CEILING_H

#include "lab/bench/runner.h"
#include "store/ceiling.h"

/* A probe that differs from the kept ceiling by more than this has not seen it again: another size, another clock. */
#define KEPT_TOLERANCE 0.03

/* Decides for a ceiling's probe, prepared and not yet timed. When a ceiling of its device (same driver, same threads,
 * and of memory on a processor's two threads: measured with their cores as far apart as now) is kept that suits the
 * probe, is steady, and is met by a few runs of the probe now, the ceiling's samples, scaled to the problem, become the
 * measurement's: its `detail` says so, its rounds are none that the bench will hold, and true is returned: the probe is
 * not needed any more. Else the measurement is untouched: the probe goes into the rounds. */
bool stored_ceiling_serves(struct runner *probe, const struct measurement_list *ceilings, bool cold,
                           struct measurement *measurement);

/* The kind of ceiling that a ceiling's probe would measure on this problem; CEILING_KINDS when it is none. */
enum ceiling_kind stored_ceiling_kind(const struct rung *probe, const struct problem *problem);

#endif
