/* The check of the dot product: what it takes, what it refuses, and why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "verdicts.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "kernels/dot/check.h"
#include "kernels/dot/dot.h"

enum { COUNT = 4 };

/* Judges `result` for these vectors of doubles, by a bound of two roundings. */
static struct check_result judge_of(const double a[COUNT], const double b[COUNT], double result, bool is_users)
{
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct error error;
    int count;
    double left[COUNT], right[COUNT], narrow;
    struct check_result check = {.bound = 0x1p-52, .is_users = is_users};
    assert_int_equal(problem_parse("dot:n=4,f64", &problem, &error), STATUS_OK);
    assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
    memcpy(left, a, sizeof left);
    memcpy(right, b, sizeof right);
    memset(&narrow, 0xFF, sizeof narrow);
    problem.kernel->check(&problem, arrays, (struct host_arrays){{left, right}},
                          (struct host_arrays){{NULL, NULL, &result, &narrow}}, &check);
    return check;
}

static struct check_result judge(const double a[COUNT], const double b[COUNT], double result)
{
    return judge_of(a, b, result, false);
}

static double poison(int byte)
{
    double value;
    memset(&value, byte, sizeof value);
    return value;
}

static const double ones[COUNT] = {1, 1, 1, 1};

static void test_the_bound_is_held(void **state)
{
    static const double terms[COUNT] = {1, 2, 3, 4}, cancelling[COUNT] = {0x1p60, 1, -0x1p60, 0};
    (void)state;
    static const double thirds[COUNT] = {1. / 3, 2, 3, 4 + 2. / 3};
    expect_right(judge(terms, ones, 10));
    assert_true(judge(terms, ones, 10).exact);
    expect_wrong(judge(terms, ones, 10 + 0x1p-49)); /* integers: nothing is rounded */
    expect_right(judge(thirds, ones, 10));
    assert_false(judge(thirds, ones, 10).exact);
    expect_right(judge(thirds, ones, 10 + 0x1p-48));
    expect_wrong(judge(thirds, ones, 10 + 0x1p-47));
    expect_wrong(judge(terms, ones, 0));
    expect_wrong(judge(thirds, ones, 0));
    expect_right(judge(cancelling, ones, 1));
    expect_right(judge(cancelling, ones, 0)); /* what a plain sum makes of them */
    expect_wrong(judge(cancelling, ones, 2048));
    assert_non_null(strstr(judge(thirds, ones, 11).reason, "of the terms' magnitudes"));
}

static void test_nan_and_infinity_must_arrive(void **state)
{
    static const double infinite[COUNT] = {1, INFINITY, 2, 3}, both[COUNT] = {1, INFINITY, -INFINITY, 3};
    static const double none[COUNT] = {1, NAN, 2, 3}, zeros[COUNT] = {0};
    (void)state;
    expect_right(judge(infinite, ones, INFINITY));
    expect_wrong(judge(infinite, ones, -INFINITY));
    expect_wrong(judge(infinite, ones, NAN));
    expect_wrong(judge(infinite, ones, 6));
    expect_right(judge(both, ones, NAN));
    expect_wrong(judge(both, ones, INFINITY));
    expect_right(judge(none, ones, NAN));
    expect_wrong(judge(none, ones, 6));
    expect_right(judge(infinite, zeros, NAN));
    expect_wrong(judge(infinite, zeros, 0));
    assert_string_equal(judge(infinite, ones, 6).reason, "expected inf, got 6");
}

/* A compensated sum of an infinity is inf - inf; of a user's file that is right, and no other wrong answer. */
static void test_a_users_compensated_sum(void **state)
{
    (void)state;
    static const double infinite[COUNT] = {1, INFINITY, 2, 3}, huge[COUNT] = {0x1p1000, 0x1p1000, 0x1p1000, 0x1p1000};
    static const double none[COUNT] = {1, NAN, 2, 3};
    expect_right(judge_of(infinite, ones, INFINITY, true));
    expect_right(judge_of(infinite, ones, NAN, true));
    expect_right(judge_of(huge, huge, NAN, true));
    expect_wrong(judge_of(infinite, ones, -INFINITY, true));
    expect_wrong(judge_of(infinite, ones, 6, true));
    expect_wrong(judge_of(none, ones, 6, true));
    expect_wrong(judge_of(none, ones, INFINITY, true));
    expect_wrong(judge_of(ones, ones, NAN, true));
}

/* One accumulator may overflow where another does not; but terms of one sign overflow to one infinity, and what is
 * finite must be right. */
static void test_an_overflow_excuses_nothing_else(void **state)
{
    static const double huge[COUNT] = {1e200, 1e200, 1, 1}, sums[COUNT] = {1e308, 1e308, -1e308, -1e308};
    static const double minus[COUNT] = {-1e200, -1e200, -1, -1}, half[COUNT] = {1e308, 1e308, -1e308, -1};
    (void)state;
    expect_right(judge(huge, huge, INFINITY));
    expect_wrong(judge(huge, huge, -INFINITY));
    expect_wrong(judge(huge, huge, NAN));
    expect_wrong(judge(huge, huge, 7));
    expect_wrong(judge(huge, huge, 1.7976931348623157e308));
    expect_right(judge(huge, minus, -INFINITY));
    expect_wrong(judge(huge, minus, INFINITY));
    expect_right(judge(sums, ones, NAN)); /* two accumulators, infinite both */
    expect_right(judge(sums, ones, 0));
    expect_wrong(judge(sums, ones, 1e300));
    expect_right(judge(half, ones, INFINITY));
    expect_right(judge(half, ones, 1e308));
    expect_wrong(judge(half, ones, -INFINITY)); /* what is below 0 does not overflow */
    expect_wrong(judge(half, ones, NAN));
}

/* Each product may lose half of the smallest number there is, and no more. */
static void test_tiny_terms_underflow_gradually(void **state)
{
    static const double tiny[COUNT] = {1e-160, 1e-160, 1e-160, 1e-160};
    (void)state;
    expect_right(judge(tiny, tiny, 4e-320));
    expect_right(judge(tiny, tiny, 4e-320 + 4 * 0x1p-1074));
    expect_wrong(judge(tiny, tiny, 0));
    expect_wrong(judge(tiny, tiny, 1e-300));
}

static void test_an_output_left_alone_fails(void **state)
{
    static const double none[COUNT] = {1, NAN, 2, 3};
    (void)state;
    for (int byte = 0xFE; byte <= 0xFF; byte++) {
        expect_wrong(judge(ones, ones, poison(byte)));
        expect_wrong(judge(none, ones, poison(byte)));
    }
}

/* What the rung of its name is for: (1 + e)(1 - e) - 1 is -e², which a double's product rounds
 * away; and 1 that is added to 2^60 is lost in a plain sum. */
static void test_the_compensated_sum_loses_nothing(void **state)
{
    static const double a[COUNT] = {1 + 0x1p-30, 1, 0, 0}, b[COUNT] = {1 - 0x1p-30, -1, 0, 0};
    static const double cancelling[COUNT] = {0x1p60, 1, -0x1p60, 0};
    double many[2][37];
    (void)state;
    assert_true(dot_twofold_value(dot_compensated_part(ELEMENT_F64, a, b, 0, COUNT)) == -0x1p-60);
    assert_true(dot_twofold_value(dot_compensated_part(ELEMENT_F64, cancelling, ones, 0, COUNT)) == 1);
    /* Several of them, in several lanes: 12 pairs, and one element left over. */
    for (size_t i = 0; i < 37; i++) {
        many[0][i] = i < 36 ? a[i % 3] : 0x1p-60;
        many[1][i] = i < 36 ? b[i % 3] : 1;
    }
    assert_true(dot_twofold_value(dot_compensated_part(ELEMENT_F64, many[0], many[1], 0, 37)) == -11 * 0x1p-60);
}

/* What is known of floats' terms is the same as of doubles of the same values, which take another way. */
static void test_floats_are_doubles_of_the_same_values(void **state)
{
    enum { MANY = 70000 }; /* more than a thread's block */
    static float narrow[2][MANY];
    static double wide[2][MANY];
    (void)state;
    for (int round = 0; round < 5; round++) {
        for (size_t i = 0; i < MANY; i++)
            for (int v = 0; v < 2; v++) {
                uint64_t word = random_word((uint64_t)round + 3, 2 * i + (size_t)v);
                int exponent = round == 0 ? 0 : round == 1 ? (int)(word % 276) - 149 : round == 2 ? -149 : 127;
                float value = round == 4 && word % 3 == 0 ? 0 : ldexpf(1 + (float)(word >> 41) * 0x1p-23f, exponent);
                narrow[v][i] = word >> 20 & 1 ? -value : value;
                wide[v][i] = (double)narrow[v][i];
            }
        struct dot_reference floats, doubles;
        size_t count = round == 3 ? 1 : MANY;
        dot_refer(ELEMENT_F32, narrow[0], narrow[1], count, &floats);
        dot_refer(ELEMENT_F64, wide[0], wide[1], count, &doubles);
        assert_int_equal(floats.unit, doubles.unit);
        assert_int_equal(floats.largest, doubles.largest);
        assert_true(dot_reference_value(&floats) == dot_reference_value(&doubles));
        assert_int_equal(exact_sum_exponent(&floats.plus), exact_sum_exponent(&doubles.plus));
        assert_int_equal(exact_sum_exponent(&floats.minus), exact_sum_exponent(&doubles.minus));
        assert_true(exact_sum_difference(&floats.plus, &doubles.plus, 0) == 0);
        assert_true(exact_sum_difference(&floats.minus, &doubles.minus, 0) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_bound_is_held),
        cmocka_unit_test(test_nan_and_infinity_must_arrive),
        cmocka_unit_test(test_a_users_compensated_sum),
        cmocka_unit_test(test_an_overflow_excuses_nothing_else),
        cmocka_unit_test(test_tiny_terms_underflow_gradually),
        cmocka_unit_test(test_an_output_left_alone_fails),
        cmocka_unit_test(test_floats_are_doubles_of_the_same_values),
        cmocka_unit_test(test_the_compensated_sum_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
