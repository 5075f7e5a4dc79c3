/* Sizes of a problem that follow from others. */
#ifndef USKOR_KERNELS_PROBLEM_DERIVE_H
#define USKOR_KERNELS_PROBLEM_DERIVE_H

#include "kernels/kernel.h"

/* Gives them their values, but those that are `given` (NULL: none is). STATUS_INVALID when one is outside its limits,
 * or what was given contradicts. */
enum status problem_derive(struct problem *problem, const bool *given, struct error *error);

#endif
