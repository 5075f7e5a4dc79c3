/* How far apart the cores sit that the first two threads run on: a fingerprint of the state a machine is in. On some
 * machines threads land on one die or on two, and memory is twice as fast in one case as in the other. */
#ifndef USKOR_LAB_CORE_DISTANCE_H
#define USKOR_LAB_CORE_DISTANCE_H

#include <stddef.h>
#include <stdint.h>

/* Nanoseconds that a cache line takes from one core to the other and back, over two: the least of several tries, some
 * 0.2 ms in all. 0 where there is only one thread, or the two did not run at the same time for 5 ms. */
double core_distance(void);

/* What was seen of it while rungs were timed in rounds. */
struct core_distances {
    double values[32];
    size_t count;
};

/* Looks in every eighth round, and then waits until the threads have come to rest. */
void core_distances_look(struct core_distances *distances, uint32_t round);

/* 0 when nothing was seen. */
double core_distances_median(const struct core_distances *distances);

#endif
