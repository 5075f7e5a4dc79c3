/* Whether one matrix is the transpose of another. */
#pragma once

#include "kernels/kernel.h"

/* kernel->check: every element, bit for bit. */
void transpose_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                     struct host_arrays output, struct check_result *result);
