/* Pairs of bfloat16 that follow one another along the depth, for processors that multiply and add two at once. */
#pragma once

#include "kernels/matmul/matmul.h"

static inline size_t half_pairs_depth(const struct product *p)
{
    return product_depth(p) / 2 + product_depth(p) % 2;
}

/* The same product of pairs in `memory` of half_floats_bytes: op(A) and op(B), without gaps, a zero behind an odd
 * depth; C is of floats and not read, so its alpha is 1 and its beta 0. False where some elements are so small that a
 * product or a sum might be subnormal: vdpbf16ps takes such numbers for zeros. */
bool half_to_pairs(const struct product *product, void *memory, struct product *pairs);
