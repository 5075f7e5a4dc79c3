/* The latency between the cores of the first two threads: a fingerprint of a machine's performance state. On some
 * machines the two threads run on one die or on two, and memory bandwidth differs by a factor of two. */
#pragma once

#include <stdint.h>

#include "store/cores.h"

/* Half the round-trip time of a cache line between the two cores, ns: the minimum of several tries, about 0.2 ms in
 * all. 0 with only one thread, or when the two threads did not run simultaneously within 5 ms. */
double core_latency(void);

/* The latencies measured while rungs were timed in rounds. Zero-initialize before use. */
struct core_latencies {
    struct samples looks; /* ns; tries without a result are left out */
    int64_t looked_at;
};

/* Takes a sample if 100 ms have passed since the last one, then waits until the threads are idle. */
void core_latencies_look(struct core_latencies *distances, uint32_t round);

void core_latencies_free(struct core_latencies *distances);
