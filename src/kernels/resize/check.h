/* The judge of the resize: every channel against the exact value, a fraction of integers.
 *
 * Four things are demanded.
 * 1. A channel whose four pixels are alike is that value: constant pictures stay constant.
 * 2. Where the arithmetic is exact, the exact value rounded, halves up: when both axes' weights are multiples of
 *    2^-RESIZE_EXACT_BITS, so that floats and fixed point of as many bits lose nothing.
 * 3. Elsewhere a channel lies within half a unit and a slack of the exact value, so that rounding may go either way
 *    only near a half.
 * 4. The mean signed difference from the exact value rounded is below RESIZE_BIAS_MOST unit in each channel, or below
 *    half of the bound that the rung states. Where the arithmetic is not exact, halves are left out of the mean. So are
 *    values within the slack of floats of a half, where there are more than of evenly spread values: rounding errors
 *    decide about all halves of a picture alike, and pictures of few values have many. A rung that states more than
 *    the slack of floats errs by one amount on each value, so of it a mean over few values is not judged.
 *
 * The slack is what float coordinates and weights need. A rung that states a bound (in units, before rounding) has that
 * for a slack, and is not held to 2; its halves may go either way.
 *
 * Integers of 16 bits and floats are held to 2, and elsewhere to the exact value with half a unit, of
 * floats half of the last place, and a slack of 2^-48 of the largest pixel. A pixel of weight 0 does not count; NaN and
 * infinity go where IEEE 754 sends them. Gaps behind the target's rows must keep what they held. */
#pragma once

#include "kernels/kernel.h"

#define RESIZE_EXACT_BITS 7
#define RESIZE_BIAS_MOST 0.05

/* kernel->check. `worst` is in units from the exact value, beyond half a unit; where arithmetic is exact, from its
 * rounded value. */
void resize_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result);
