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
 * Elements of 16 bits have sums of 32, and u and e are those of the sums. Tensor cores then round otherwise: they add
 * at least four products to a sum at a time, and cut off what is below the last place of the largest of them. That is
 * at most 2·u·|s_k|, always towards zero, at every fourth k: u/2·Σ|s_k|, which is at most u/2·K·(0.6·sqrt(Q) + |c|/2)
 * with the mean of |s_k| from above. A result of 16 bits is rounded once more: by half a unit of its own last place, or
 * half of its own smallest number. In a line's sum these roundings are as good as random; their sum is allowed
 * RESULT_MARGIN times the root of the sum of the largest possible squares, which is more than nine deviations.
 *
 * A user's own data need not be random, nor are structured matrices: their roundings may all have the same direction.
 */
#include <math.h>

#include "kernels/matmul/check.h"

#define RESULT_MARGIN 4.0

/* The rounding of sums to results. */
static double result_rounding(const struct product *p, const struct walk *walk)
{
    const double product = fabs(p->alpha) * (walk->scale ? ldexp(walk->product, walk->scale) : walk->product);
    const double half = ldexp(0.5, least_exponent(p->result)) * sqrt((double)walk->elements);
    if (!rounds_results(p))
        return 0;
    return (walk->elements > 1 ? RESULT_MARGIN : 1) * (unit_roundoff(p->result) * (product + walk->old) + half);
}

double check_tolerance(const struct trial *trial, struct walk walk)
{
    const struct product *p = &trial->product;
    double u = unit_roundoff(type_of_sums(p)), depth = (double)product_depth(p), alpha = fabs(p->alpha);
    double least = ldexp(1, least_exponent(type_of_sums(p)));
    double length = sqrt(depth) * sqrt(walk.terms * walk.terms / 2 + walk.product * walk.product / 3);
    double drift = fmin(depth * u * (depth * u) / 16, 0.25);
    double scaling = alpha == 1 ? 0 : depth * walk.factor / 2;
    double rounding = u * (CHECK_MARGIN * length + 4 * walk.product) + drift * walk.product;
    if (element_is_half(p->type))
        rounding += u / 2 * depth * (0.6 * walk.terms + walk.product / 2);
    const double alike = trial->own_data ? fmin(depth * u, 0.25) : 0;
    rounding += alike * sqrt(depth) * walk.terms; /* at least Σ|a b| */
    return alpha * (walk.scale ? ldexp(rounding, walk.scale) : rounding) +
           (u * (CHECK_MARGIN * sqrt(depth) + 4) + alike) * walk.old +
           least * (1 + alpha * depth + scaling) * sqrt((double)walk.elements) + result_rounding(p, &walk);
}
