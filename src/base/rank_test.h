/* Is one of two quantities larger? The exact test of Wilcoxon, Mann and Whitney on ranks, which assumes no
 * distribution, with the shift of Hodges and Lehmann and its interval; and Holm's treatment of many tests at once.
 *
 * Sources: H. B. Mann and D. R. Whitney, 1947; J. L. Hodges and E. L. Lehmann, 1963; S. Holm, 1979; for the interval
 * M. Hollander and D. A. Wolfe, Nonparametric Statistical Methods, section 4.3. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define RANK_TEST_MOST 40 /* values on a side, at most: the distribution is worked out, never approximated */

struct rank_test {
    double p;         /* two-sided: twice the smaller tail, at most 1; ties have the mean of their ranks */
    double shift;     /* the median of all differences b - a */
    double low, high; /* confidence interval of the shift (exact without ties, nearly so with ties); infinite when there
                         are too few values */
};

/* Tests `count_a` values against `count_b` (each from 1 to RANK_TEST_MOST, all finite); `alpha` is 0.01 for an interval
 * of 99 %. False when a count is out of bounds or memory is out. */
bool rank_test(const double *a, size_t count_a, const double *b, size_t count_b, double alpha,
               struct rank_test *result);

/* The largest U of two samples without ties that is significant at the two-sided level `alpha`, as tables print it: -1
 * when none is; -2 when a count is out of bounds or memory is out. */
long rank_test_critical(size_t count_a, size_t count_b, double alpha);

/* Makes each p the one that Holm's step-down method compares with the level of the whole family. False when memory is
 * out. */
bool holm_adjust(double *p, size_t count);
