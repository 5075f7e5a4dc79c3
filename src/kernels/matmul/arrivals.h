/* Rungs whose groups leave sums for each other in scratch memory that nobody clears (arrivals.cuh). */
#ifndef USKOR_KERNELS_MATMUL_ARRIVALS_H
#define USKOR_KERNELS_MATMUL_ARRIVALS_H

#include <stdint.h>

/* Another number for each launch of this process, which memory that was never written will not hold: flags of other
 * launches are told apart by it. Any thread may ask. */
int64_t arrivals_epoch(void);

#endif
