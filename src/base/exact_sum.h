/* Sums of products without any rounding, for references: integers as wide as a double's whole range (U. W. Kulisch's
 * long accumulator; R. M. Neal, Fast Exact Summation Using Small and Large Superaccumulators, 2015). As no arithmetic
 * on floating-point numbers is involved, neither their rounding nor a mode of the processor can change a result. */
#pragma once

#include <stdint.h>

#define EXACT_SUM_DIGITS 136

/* A number of at least 0: the sum of digits[i] * 2^(32 i - 2176). Digits may have carries of 2^32 and more in them.
 * Zeroed, it is 0. It takes 2^39 products of the largest doubles. */
struct exact_sum {
    uint64_t digits[EXACT_SUM_DIGITS];
    uint64_t additions; /* since carries were last handed on */
};

/* Adds |a * b|; both must be finite. */
void exact_sum_add_product(struct exact_sum *sum, double a, double b);

/* Adds `other`. */
void exact_sum_add(struct exact_sum *sum, struct exact_sum *other);

/* The exponent of the largest power of two that is not above the sum; INT_MIN for 0. */
int exact_sum_exponent(struct exact_sum *sum);

/* (plus - minus) * 2^-exponent, rounded once to the nearest double (twice where that is subnormal). */
double exact_sum_difference(struct exact_sum *plus, struct exact_sum *minus, int exponent);
