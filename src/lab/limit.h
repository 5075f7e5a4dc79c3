/* The limit a rung is held against: a probe that moves exactly the bytes the problem must move, in the same rounds as
 * the rungs, on the same device. A probe is a rung like any other, so that nothing can be timed differently. */
#ifndef USKOR_LAB_LIMIT_H
#define USKOR_LAB_LIMIT_H

#include "kernels/kernel.h"

/* The probe for this problem; NULL when there is nothing to move. */
const struct rung *limit_rung(const struct problem *problem, const struct device *device);

#endif
