/* The harness overhead, measured on the null device. Each of its results must fail the check. */
#pragma once

#include "kernels/kernel.h"

/* Measures the median time, ns, of one launch of the kernel's first device rung on a device that does nothing. The path
 * is that of a timed run. STATUS_FAILED when the null device passed the check: this lab's verdicts are worthless then.
 */
enum status lab_overhead(const struct kernel *kernel, double *nanoseconds, struct error *error);
