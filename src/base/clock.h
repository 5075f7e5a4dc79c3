/* The monotonic clock. */
#pragma once

#include <stdint.h>

/* Nanoseconds since an arbitrary start; never goes back. */
int64_t clock_now(void);

/* Sleeps for at least `nanoseconds`. */
void clock_sleep(int64_t nanoseconds);
