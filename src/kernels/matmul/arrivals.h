/* Rungs whose groups leave sums for each other in scratch memory that nobody clears (arrivals.cuh). */
#pragma once

#include <stdint.h>

/* A number that differs for each launch of this process, and that unwritten memory will not hold, to distinguish flags
 * of other launches. Thread-safe. */
int64_t arrivals_epoch(void);
