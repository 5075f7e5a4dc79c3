/* The rank test against printed tables, published examples, and its own definition worked out by going through every
 * draw. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "base/rank_test.h"
#include "base/size.h"

#include <cmocka.h>

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* Tables of the Mann-Whitney U as textbooks print them, two-sided. */
static void critical_values(void **state)
{
    (void)state;
    static const struct {
        size_t a, b;
        double alpha;
        long critical;
    } table[] = {
        {3, 3, 0.05, -1},   {4, 4, 0.05, 0},    {5, 5, 0.05, 2},    {5, 8, 0.05, 6},     {8, 8, 0.05, 13},
        {10, 10, 0.05, 23}, {12, 15, 0.05, 49}, {15, 15, 0.05, 64}, {20, 20, 0.05, 127}, {4, 4, 0.01, -1},
        {5, 5, 0.01, 0},    {8, 8, 0.01, 7},    {10, 10, 0.01, 16}, {15, 15, 0.01, 51},  {20, 20, 0.01, 105},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        assert_int_equal(rank_test_critical(table[i].a, table[i].b, table[i].alpha), table[i].critical);
        assert_int_equal(rank_test_critical(table[i].b, table[i].a, table[i].alpha), table[i].critical);
    }
    assert_int_equal(rank_test_critical(0, 5, 0.05), -2);
    assert_int_equal(rank_test_critical(5, RANK_TEST_MOST + 1, 0.05), -2);
}

/* Hollander and Wolfe's permeability of the human chorioamnion: W = 35, one-sided p 0.1272. */
static void published_examples(void **state)
{
    (void)state;
    const double term[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    const double early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    struct rank_test test;
    assert_true(rank_test(early, COUNT_OF(early), term, COUNT_OF(term), 0.05, &test));
    near(test.p, 2 * 0.1272, 1e-4);
    near(test.shift, 0.305, 1e-9);
    near(test.low, -0.15, 0.02);
    near(test.high, 0.76, 0.02);
    /* Ages at which diabetes was found, men and women: U = 17, p = 1/9. */
    const double men[] = {19, 22, 16, 29, 24}, women[] = {20, 11, 17, 12};
    assert_true(rank_test(women, COUNT_OF(women), men, COUNT_OF(men), 0.05, &test));
    near(test.p, 1.0 / 9, 1e-12);
}

/* The p by the definition: the share of all draws of `a` whose sum of ranks is as far out. */
static double by_definition(const double *all, size_t count_a, size_t count)
{
    double draws = 0, below = 0, above = 0, own = 0;
    for (unsigned draw = 0; draw < 1u << count; draw++) {
        double sum = 0;
        if ((size_t)__builtin_popcount(draw) != count_a)
            continue;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; (draw >> i & 1) && j < count; j++)
                sum += all[j] < all[i] ? 1 : all[j] == all[i] ? 0.5 : 0;
        if (draw == (1u << count_a) - 1) /* the lowest bits: the first such draw */
            own = sum;
        draws++;
        below += sum <= own;
        above += sum >= own;
    }
    return fmin(1, 2 * fmin(below, above) / draws);
}

static void by_every_draw(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 11);
    for (int trial = 0; trial < 60; trial++) {
        double all[12];
        size_t count_a = 1 + random_u32(&random) % 6, count = count_a + 1 + random_u32(&random) % 6;
        for (size_t i = 0; i < count; i++) /* few values, so many ties */
            all[i] = (double)(random_u32(&random) % (trial % 2 ? 4 : 1000));
        struct rank_test test;
        assert_true(rank_test(all, count_a, all + count_a, count - count_a, 0.05, &test));
        near(test.p, by_definition(all, count_a, count), 1e-12);
    }
}

static void shifts(void **state)
{
    (void)state;
    double a[RANK_TEST_MOST], b[RANK_TEST_MOST];
    for (size_t i = 0; i < RANK_TEST_MOST; i++) {
        a[i] = (double)(i * i % 41);
        b[i] = a[i] + 100;
    }
    struct rank_test test;
    assert_true(rank_test(a, RANK_TEST_MOST, b, RANK_TEST_MOST, 0.01, &test));
    near(test.shift, 100, 1e-9);
    assert_true(test.p < 1e-20 && test.low > 80 && test.high < 120 && test.low < 100 && test.high > 100);
    assert_true(rank_test(a, RANK_TEST_MOST, a, RANK_TEST_MOST, 0.01, &test));
    assert_true(test.p > 0.99 && test.low < 0 && test.high > 0);
    assert_true(rank_test(a, 2, b, 2, 0.01, &test));
    near(test.p, 1.0 / 3, 1e-12);
    assert_true(isinf(test.low) && isinf(test.high));
    assert_false(rank_test(a, 0, b, 2, 0.01, &test));
}

/* Of pairs without any difference one in a hundred, at most, is found different at 1 %. */
static void false_alarms(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 4357);
    int alarms = 0, outside = 0;
    for (int trial = 0; trial < 2000; trial++) {
        double a[8], b[8];
        for (size_t i = 0; i < 8; i++) {
            a[i] = random_double(&random);
            b[i] = random_double(&random);
        }
        struct rank_test test;
        assert_true(rank_test(a, 8, b, 8, 0.01, &test));
        alarms += test.p < 0.01;
        outside += test.low > 0 || test.high < 0;
    }
    assert_true(alarms <= 30 && alarms >= 5);
    assert_int_equal(alarms, outside);
}

/* Holm's own order: the smallest times the number of tests, and never less than the one before. */
static void holm(void **state)
{
    (void)state;
    double p[] = {0.01, 0.04, 0.03, 0.005, 0.9};
    static const double adjusted[] = {0.04, 0.09, 0.09, 0.025, 0.9};
    assert_true(holm_adjust(p, COUNT_OF(p)));
    for (size_t i = 0; i < COUNT_OF(p); i++)
        near(p[i], adjusted[i], 1e-12);
    assert_true(holm_adjust(NULL, 0));
    double many[] = {0.5, 0.6, 0.7};
    assert_true(holm_adjust(many, 3));
    near(many[0], 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(critical_values), cmocka_unit_test(published_examples), cmocka_unit_test(by_every_draw),
        cmocka_unit_test(shifts),          cmocka_unit_test(false_alarms),       cmocka_unit_test(holm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
