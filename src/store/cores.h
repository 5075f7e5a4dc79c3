/* Placement of the cores of a measurement's first two threads, by the latency of a cache line between them
 * (lab/bench/core_latency.h). Some machines have two performance states: threads, or a virtual machine's cores, are on
 * one die and share its link to memory, or on two. docs/ceilings.md says how it is used. */
#pragma once

#include "store/measurement.h"

/* Ratio of latencies of two placements. Within one they were seen to differ by a third, between two six times. */
#define CORES_ELSEWHERE 2.0

/* With so many threads the latency identifies the placement of all. With more, that of the first two says nothing
 * about the others: it is stored and shown, and not used. */
#define CORES_THREADS 2

/* Fills in the measurement's latencies from looks (ns and rounds), those up to the last round of its samples: the
 * median, and the least and greatest once a tenth of the looks at either end, at least one, is left out, as a single
 * look may be noisy. All 0 when there are none. */
void cores_note(const struct samples *looks, struct measurement *measurement);

/* Two latencies of different placements. False where either is unknown (0). */
bool cores_elsewhere(double a, double b);

/* The cores changed place while it was measured, with two threads. */
bool cores_moved(const struct measurement *measurement);

/* The times of both are of one placement: taken in the same rounds, or at latencies that are alike and stayed so,
 * or at latencies that identify no placement. */
bool cores_alike(const struct measurement *a, const struct measurement *b);
