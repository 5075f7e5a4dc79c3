/* Products of stored matrices with vectors, in double, for the check with random vectors. */
#pragma once

#include <stdbool.h>

#include "kernels/matmul/check.h"

#define CHECK_VECTORS 4
#define CHECK_SUMS (CHECK_VECTORS + 1) /* with the last vector all elements are squared */

struct vectors {
    double *of[CHECK_SUMS];
};

/* A product with a matrix or with its transpose: `x` and where the product is added to; NULL when it is not wanted. */
struct factor {
    const struct vectors *x, *result;
};

/* Adds S·x and Sᵀ·x, in one pass over S, in an order that does not depend on the number of threads. NaN and infinities
 * count as 0. Clears `is_finite`, unless that is NULL, when there are any. Returns false when memory is out. */
bool check_multiply(const struct matrix *s, struct factor plain, struct factor transposed, bool *is_finite);
