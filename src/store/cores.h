/* Where the cores of a measurement's first two threads sat, by the time that a cache line took from one to the other
 * (lab/bench/core_latency.h): some machines are as good as two, one for each place, as threads, or a virtual machine's
 * cores, are on one die and share its way to memory, or on two. docs/ceilings.md says how it is used. */
#ifndef USKOR_STORE_CORES_H
#define USKOR_STORE_CORES_H

#include "store/measurement.h"

/* Times as far: another place. Within one place distances were seen to differ by a third, between two six times. */
#define CORES_ELSEWHERE 2.0

/* Of so many threads the distance is that of all there are, and tells the place. Where the first two of more sit says
 * nothing of the others: it is kept and shown, and nothing is made of it. */
#define CORES_THREADS 2

/* Fills in the measurement's distances from looks (ns and rounds), those up to the last round of its samples: the
 * median, and the nearest and farthest once a tenth of the looks at either end, at least one, is left out, as a single
 * look may be disturbed. All 0 when there are none. */
void cores_note(const struct samples *looks, struct measurement *measurement);

/* Two distances of different places. False where either is not known (0). */
bool cores_elsewhere(double a, double b);

/* The cores changed place while it was measured, with two threads. */
bool cores_moved(const struct measurement *measurement);

/* The times of both are of one place: they were taken in the same rounds, or at distances that are alike and stayed so,
 * or at latencies that identify no placement. */
bool cores_alike(const struct measurement *a, const struct measurement *b);

#endif
