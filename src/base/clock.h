/* The monotonic clock, and that of the process. */
#pragma once

#include <stdint.h>

/* Nanoseconds since an arbitrary start; never goes back. */
int64_t clock_now(void);

/* CPU time of all threads of this process, ns. Other programs on the same cores add little to it. A thread that runs on
 * another core is counted up to its last tick, milliseconds ago. */
int64_t clock_processor(void);

/* Sleeps for at least `nanoseconds`. */
void clock_sleep(int64_t nanoseconds);
