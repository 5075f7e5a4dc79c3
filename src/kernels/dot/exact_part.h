/* Sums of a block of products with what rounding lost. */
#pragma once

#include <stddef.h>

#include "base/element.h"

#define DOT_LANES 32

/* The sum of all high and low is that of the products, but for what the additions to `low` lost: see dot_lanes_of. */
struct dot_lanes {
    double high[DOT_LANES], low[DOT_LANES]; /* unused lanes are 0 */
    double magnitude;                       /* of all products, within a millionth of it */
};

/* Terms from … to - 1, at most DOT_BLOCK of them. As long as every lane of `high` is finite, the sum is within
 * DOT_LANES_ERROR times the magnitude, and 2^-1074 for each term, of that of the products: each lane has k <= 2^14
 * terms, whose errors are below 2^-53 of a partial sum, and adding them up in `low` loses at most k * 2^-53 of their
 * sum. */
#define DOT_BLOCK ((size_t)1 << 16)
#define DOT_LANES_ERROR 0x1p-74
void dot_lanes_of(enum element_type type, const void *a, const void *b, size_t from, size_t to,
                  struct dot_lanes *lanes);
