/* The allowed error of a right result.
 *
 * Adding p_1 … p_K one after another in a format with unit roundoff u makes an error of at most u·|s_k| at each partial
 * sum s_k. These errors are practically independent, so their sum is about u·sqrt(Σ s_k²) (N. J. Higham and T. Mary, A
 * New Approach to Probabilistic Rounding Error Analysis, 2019). For terms in random order with sum c and sum of squares
 * Q, the mean of s_k² is at most k·Q/K + (k·c/K)². The sum of that over k is K·(Q/2 + c²/3). Any other order of
 * summation (tiles, several accumulators, trees) has a smaller error. The allowed error of an element is therefore
 *
 *     |alpha|·(u·(λ·sqrt(K·(Q/2 + c²/3)) + 4·|c|) + |c|·min((K·u)²/16, 1/4)) + u·(λ·sqrt(K) + 4)·|beta·C|
 *     + e·(1 + |alpha|·K + K·f/2)
 *
 * (A rung may begin with beta·C and add the terms to it: then beta·C is part of every s_k.)
 *
 * The term with (K·u)² is a drift (dot/check.c), which matters from a million terms of one sign on. The last term is
 * gradual underflow: e is the smallest subnormal number, and a product may lose half of it. So may alpha·a, which then
 * is multiplied by b, or alpha·b by a: f is the largest of these factors; with an alpha of 1 it does not count. A rung
 * that flushes subnormal numbers to zero loses more.
 *
 * The allowed error of a sum of a line's elements with random signs is the root of the sum of these squares. It is the
 * same formula, applied to the roots of the sums of Q, c² and (beta·C)².
 *
 * A user's own data need not be random; their roundings may all have the same direction. */
#include <math.h>

#include "kernels/matmul/check.h"

double check_tolerance(const struct trial *trial, struct walk walk)
{
    const struct product *p = &trial->product;
    double u = unit_roundoff(p->type), depth = (double)product_depth(p), alpha = fabs(p->alpha);
    double least = p->type == ELEMENT_F32 ? 0x1p-149 : 0x1p-1074;
    double length = sqrt(depth) * sqrt(walk.terms * walk.terms / 2 + walk.product * walk.product / 3);
    double drift = fmin(depth * u * (depth * u) / 16, 0.25);
    double scaling = alpha == 1 ? 0 : depth * walk.factor / 2;
    double rounding = u * (CHECK_MARGIN * length + 4 * walk.product) + drift * walk.product;
    if (trial->own_data)
        rounding += fmin(depth * u, 0.25) * sqrt(depth) * walk.terms; /* at least Σ|a b| */
    return alpha * (walk.scale ? ldexp(rounding, walk.scale) : rounding) +
           u * (CHECK_MARGIN * sqrt(depth) + 4) * walk.old +
           least * (1 + alpha * depth + scaling) * sqrt((double)walk.elements);
}
