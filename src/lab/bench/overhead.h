/* The harness overhead, measured on the null device. Its every answer must be found wrong. */
#ifndef USKOR_LAB_BENCH_OVERHEAD_H
#define USKOR_LAB_BENCH_OVERHEAD_H

#include "kernels/kernel.h"

/* Median nanoseconds that one launch of the kernel's first device rung costs when the device does nothing: the same
 * path as a timed run. STATUS_FAILED when the null device passed the check: then no verdict of this lab is worth
 * anything. */
enum status lab_overhead(const struct kernel *kernel, double *nanoseconds, struct error *error);

#endif
