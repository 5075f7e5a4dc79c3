/* How far apart the cores sit that the first two threads run on: a fingerprint of the state a machine is in. On some
 * machines threads land on one die or on two, and memory is twice as fast in one case as in the other. */
#ifndef USKOR_LAB_BENCH_CORE_LATENCY_H
#define USKOR_LAB_BENCH_CORE_LATENCY_H

#include <stdint.h>

#include "store/cores.h"

/* Nanoseconds that a cache line takes from one core to the other and back, over two: the least of several tries, some
 * 0.2 ms in all. 0 where there is only one thread, or the two did not run at the same time for 5 ms. */
double core_latency(void);

/* The latencies measured while rungs were timed in rounds; zeroed at first. */
struct core_latencies {
    struct samples looks; /* ns; those that showed nothing are left out */
    int64_t looked_at;
};

/* Looks where a tenth of a second has gone by since the last look, and then waits until the threads have come to rest.
 */
void core_latencies_look(struct core_latencies *distances, uint32_t round);

void core_latencies_free(struct core_latencies *distances);

#endif
