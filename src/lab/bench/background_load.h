/* The processor time that other programs use during a measurement. */
#ifndef USKOR_LAB_BENCH_BACKGROUND_LOAD_H
#define USKOR_LAB_BENCH_BACKGROUND_LOAD_H

#include <stdint.h>

/* The processors' time up to a moment, ns: all of them, those at work, and this process's share. Zeros where the system
 * does not report it. */
struct processor_times {
    int64_t all, busy, own;
};

struct processor_times processor_times_now(void);

/* How many processors other programs kept busy between the two, on average; 0 when less than a quarter of a second of
 * the processors' time lies between them, as the system counts in steps of 10 ms. */
double background_load_between(const struct processor_times *from, const struct processor_times *to);

#endif
