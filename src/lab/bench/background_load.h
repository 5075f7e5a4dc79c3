/* The processor time that other programs use during a measurement. */
#ifndef USKOR_LAB_BENCH_BACKGROUND_LOAD_H
#define USKOR_LAB_BENCH_BACKGROUND_LOAD_H

#include <stdint.h>

/* CPU time since boot, summed over all cores, ns: total, busy, and used by this process. Zeros where the system does
 * not report it. */
struct processor_times {
    int64_t all, busy, own;
};

struct processor_times processor_times_now(void);

/* Cores that other programs used between the two moments, on average. The system counts in steps of 10 ms: 0 when less
 * than 250 ms of CPU time lies between them. */
double background_load_between(const struct processor_times *from, const struct processor_times *to);

/* More than so many cores, and a figure of the CPU is not the machine's alone. */
#define BACKGROUND_DISTURBS 0.2

#endif
