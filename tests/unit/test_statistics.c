/* Summaries against values worked out by hand, and the median's interval against the binomial distribution itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/size.h"
#include "base/statistics.h"

#include <cmocka.h>

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void nothing(void **state)
{
    (void)state;
    struct summary summary, zero = {0};
    memset(&summary, 0xff, sizeof summary);
    assert_true(statistics_summarise(NULL, 0, &summary));
    assert_memory_equal(&summary, &zero, sizeof zero);
}

static void one_sample(void **state)
{
    (void)state;
    struct summary s;
    double sample = 3.5;
    assert_true(statistics_summarise(&sample, 1, &s));
    assert_int_equal(s.count, 1);
    const double all[] = {s.minimum, s.quartile1, s.median, s.quartile3, s.maximum, s.mean, s.low, s.high};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        assert_true(all[i] == 3.5);
    assert_true(isnan(s.deviation));
}

/* {1, 3}: both are 1 away from the mean, over n - 1 = 1. */
static void two_samples(void **state)
{
    (void)state;
    struct summary s;
    const double samples[] = {3, 1};
    assert_true(statistics_summarise(samples, 2, &s));
    near(s.mean, 2);
    near(s.median, 2);
    near(s.deviation, sqrt(2));
    near(s.quartile1, 1.5);
    near(s.low, 1);
    near(s.high, 3);
}

static void four_samples(void **state)
{
    (void)state;
    struct summary s;
    const double samples[] = {4, 1, 3, 2}, before[] = {4, 1, 3, 2};
    assert_true(statistics_summarise(samples, 4, &s));
    assert_memory_equal(samples, before, sizeof before);
    near(s.minimum, 1);
    near(s.quartile1, 1.75);
    near(s.median, 2.5);
    near(s.quartile3, 3.25);
    near(s.maximum, 4);
    near(s.mean, 2.5);
    near(s.deviation, sqrt(5.0 / 3));
    near(s.low, 1); /* too few for 95 %: all of them */
    near(s.high, 4);
}

/* {2, 4, 4, 4, 5, 5, 7, 9}: mean 5, sum of squares about it 32. */
static void eight_samples(void **state)
{
    (void)state;
    struct summary s;
    const double samples[] = {9, 2, 4, 5, 4, 7, 4, 5};
    assert_true(statistics_summarise(samples, 8, &s));
    near(s.mean, 5);
    near(s.deviation, sqrt(32.0 / 7));
    near(s.quartile1, 4);
    near(s.median, 4.5);
    near(s.quartile3, 5.5);
    near(s.low, 2); /* ranks 1 and 8 hold the median with 1 - 2/256 */
    near(s.high, 9);
}

/* A large mean does not swallow a small spread. */
static void spread_far_from_zero(void **state)
{
    (void)state;
    struct summary s;
    const double samples[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    assert_true(statistics_summarise(samples, 4, &s));
    near(s.mean, 1e9 + 10);
    near(s.deviation, sqrt(30));
}

/* Rank k by the definition: P(k <= Binomial(n, 1/2) <= n - k) >= 95 %, k as large as that allows. */
static size_t rank_by_definition(size_t n)
{
    long double outcomes[201] = {1};
    for (size_t toss = 0; toss < n; toss++)
        for (size_t i = toss + 1; i-- > 0;) {
            outcomes[i + 1] += outcomes[i] / 2;
            outcomes[i] /= 2;
        }
    for (size_t k = n / 2; k > 0; k--) {
        long double coverage = 0;
        for (size_t i = k; i <= n - k; i++)
            coverage += outcomes[i];
        if (coverage >= 0.95L)
            return k;
    }
    return 0;
}

static void interval_of_the_median(void **state)
{
    (void)state;
    double samples[200];
    for (size_t i = 0; i < 200; i++)
        samples[i] = (double)(i + 1);
    for (size_t n = 1; n < 200; n++) {
        struct summary s;
        assert_true(statistics_summarise(samples, n, &s));
        size_t rank = rank_by_definition(n);
        near(s.low, rank ? (double)rank : 1);
        near(s.high, rank ? (double)(n + 1 - rank) : (double)n);
    }
    /* From published tables. */
    static const struct {
        size_t count, rank;
    } known[] = {{5, 0}, {6, 1}, {9, 2}, {10, 2}, {20, 6}, {100, 40}};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        assert_int_equal(rank_by_definition(known[i].count), known[i].rank);
}

/* Where probabilities of single outcomes are far below what a double holds: n/2 - 0.98 sqrt(n). */
static void interval_of_many(void **state)
{
    (void)state;
    static double samples[1000000];
    for (size_t i = 0; i < COUNT_OF(samples); i++)
        samples[i] = (double)(COUNT_OF(samples) - i);
    struct summary s;
    assert_true(statistics_summarise(samples, COUNT_OF(samples), &s));
    near(s.median, 500000.5);
    assert_true(fabs(s.low - 499020.0) <= 1.5);
    near(s.high, 1000001 - s.low);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing),
        cmocka_unit_test(one_sample),
        cmocka_unit_test(two_samples),
        cmocka_unit_test(four_samples),
        cmocka_unit_test(eight_samples),
        cmocka_unit_test(spread_far_from_zero),
        cmocka_unit_test(interval_of_the_median),
        cmocka_unit_test(interval_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
