/* The arrays that a problem begins with. */
#ifndef USKOR_KERNELS_SORT_INPUTS_H
#define USKOR_KERNELS_SORT_INPUTS_H

#include "kernels/kernel.h"

/* Names, NULL-terminated, and what they mean. */
extern const char *const sort_inputs[];
extern const char sort_inputs_help[];

/* kernel->fill. */
void sort_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);

#endif
