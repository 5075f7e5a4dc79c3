/* How far apart the cores sit that the first two threads run on: a fingerprint of the state a machine is in. On some
 * machines threads land on one die or on two, and memory is twice as fast in one case as in the other. */
#ifndef USKOR_LAB_CORE_DISTANCE_H
#define USKOR_LAB_CORE_DISTANCE_H

/* Nanoseconds that a cache line takes from one core to the other and back, over two: the least of several tries, some
 * 0.2 ms in all. 0 where there is only one thread, or the two did not run at the same time for 5 ms. */
double core_distance(void);

#endif
