/* A sum of doubles and of their products, without rounding: U. W. Kulisch's long accumulator, in signed digits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define LONG_SUM_DIGITS 136

/* The sum of digits[i] * 2^(32 i - 2176). Zeroed, it is 0. */
struct long_sum {
    int64_t digits[LONG_SUM_DIGITS];
    uint32_t additions; /* since carries were last handed on */
};

/* Both must be finite. */
void long_sum_add(struct long_sum *sum, double value);
void long_sum_add_product(struct long_sum *sum, double a, double b);

void long_sum_merge(struct long_sum *sum, const struct long_sum *other);

/* The nearest double, of two equally near ones the even one; an infinity beyond the largest. 0 is +0. */
double long_sum_value(const struct long_sum *sum);
