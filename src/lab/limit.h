/* The limit a rung is held against: probes that move exactly the bytes the problem must move (or do its arithmetic), in
 * the same rounds as the rungs, on the same device. A probe is a rung like any other, so that nothing can be timed
 * differently. Where a problem has several limits, the slowest is the one. */
#ifndef USKOR_LAB_LIMIT_H
#define USKOR_LAB_LIMIT_H

#include "kernels/kernel.h"

#define LIMITS_MAX 2

/* The probes for this problem on this device, at most LIMITS_MAX; returns their number, 0 when there is nothing to hold
 * a rung against. */
size_t limit_rungs(const struct problem *problem, const struct device *device, const struct rung *rungs[LIMITS_MAX]);

/* Whether the probe of that name moves bytes. What is faster than such a limit cannot be; a limit of arithmetic holds
 * for ordinary units only, and tensor cores may pass it. */
bool limit_is_of_memory(const char *rung);

/* ---- the probes, one per file ---- */

/* The device's own copy of as many bytes: the limit of kernels that read one stream and write one. */
extern const struct rung limit_copy;
/* As many equal streams read and written as the kernel's cost says. */
extern const struct rung limit_streams;
/* As many multiply-adds as the kernel's cost has operations in pairs, from registers: the limit of kernels that compute
 * in floating point longer than they move. */
extern const struct rung limit_fma;

#endif
