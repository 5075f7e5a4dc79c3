/* Sums without rounding, against sums whose value is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/exact_sum.h"
#include "base/random.h"

__extension__ typedef __int128 signed_wide;

static double sum_of(const double *values, size_t count)
{
    struct exact_sum plus = {.additions = 0}, minus = {.additions = 0};
    for (size_t i = 0; i < count; i++)
        exact_sum_add_product(values[i] < 0 ? &minus : &plus, values[i], 1);
    return exact_sum_difference(&plus, &minus, 0);
}

static void test_what_a_double_loses_is_kept(void **state)
{
    static const double cancelling[] = {DBL_MAX, 1, 0x1p-1074, -DBL_MAX, -1};
    (void)state;
    assert_true(sum_of(cancelling, 5) == 0x1p-1074);
    assert_true(sum_of(cancelling, 3) == DBL_MAX);
    assert_true(sum_of(cancelling, 0) == 0);
}

static void test_products_have_no_rounding_and_no_range(void **state)
{
    struct exact_sum plus = {.additions = 0}, minus = {.additions = 0};
    (void)state;
    exact_sum_add_product(&plus, 1 + 0x1p-30, 1 - 0x1p-30);
    exact_sum_add_product(&minus, 1, -1);
    assert_true(exact_sum_difference(&plus, &minus, 0) == -0x1p-60);
    exact_sum_add_product(&plus, DBL_MAX, DBL_MAX);
    assert_true(isinf(exact_sum_difference(&plus, &minus, 0)));
    assert_true(exact_sum_difference(&plus, &minus, 2040) == 0x1p8 * (1 - 0x1p-53) * (1 - 0x1p-53));
    assert_int_equal(exact_sum_exponent(&plus), 2047);
    struct exact_sum tiny = {.additions = 0}, none = {.additions = 0};
    exact_sum_add_product(&tiny, 0x1p-1074, -0x1p-1074);
    assert_true(exact_sum_difference(&tiny, &none, -2148) == 1);
    assert_int_equal(exact_sum_exponent(&tiny), -2148);
    assert_int_equal(exact_sum_exponent(&none), INT_MIN);
}

/* To nearest, ties to even, also when what decides is far below. */
static void test_it_rounds_once(void **state)
{
    static const double tie[] = {1, 0x1p-53}, above[] = {1, 0x1p-53, 0x1p-1000}, below[] = {1, 0x1p-53, -0x1p-1000};
    static const double odd[] = {1 + 0x1p-52, 0x1p-53};
    (void)state;
    assert_true(sum_of(tie, 2) == 1);
    assert_true(sum_of(above, 3) == 1 + 0x1p-52);
    assert_true(sum_of(below, 3) == 1);
    assert_true(sum_of(odd, 2) == 1 + 0x1p-51);
}

/* Random floats of 40 binades: their products fit 64 bits and more, and integers say what the sum is. */
static void test_random_sums(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 200; trial++) {
        struct exact_sum parts[2][2] = {0};
        signed_wide right = 0;
        for (uint64_t i = 0; i < 500; i++) {
            int64_t a = (int64_t)(random_word(trial, 2 * i) >> 11 >> (i % 31)),
                    b = (int64_t)random_word(trial, 2 * i + 1) >> 11 >> (i % 37);
            right += (signed_wide)a * b;
            exact_sum_add_product(&parts[i % 2][b < 0], ldexp((double)a, -600), ldexp((double)b, 500));
        }
        exact_sum_add(&parts[0][0], &parts[1][0]);
        exact_sum_add(&parts[0][1], &parts[1][1]);
        assert_true(exact_sum_difference(&parts[0][0], &parts[0][1], -100) == (double)right);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_double_loses_is_kept),
        cmocka_unit_test(test_products_have_no_rounding_and_no_range),
        cmocka_unit_test(test_it_rounds_once),
        cmocka_unit_test(test_random_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
