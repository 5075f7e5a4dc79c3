/* Waiting until this process is at rest. */
#ifndef USKOR_LAB_BENCH_REST_H
#define USKOR_LAB_BENCH_REST_H

/*
 * Sleeps until no thread of this process uses a processor, a fifth of a second at most. Workers of a library
 * (OpenBLAS's, OpenMP's) go on spinning after a call, for as long as 30 ms, and take the cores from whatever is timed
 * next.
 */
void wait_until_at_rest(void);

#endif
