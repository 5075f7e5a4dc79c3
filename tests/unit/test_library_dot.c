/* uskor_dot, as its users call it: only uskor.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "uskor.h"

#include <cmocka.h>

static const enum uskor_sum sums[] = {USKOR_SUM_FAST, USKOR_SUM_COMPENSATED, USKOR_SUM_EXACT};

static void integers_are_added_exactly(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 7, 1000, 65537, 200001};
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        const size_t count = counts[c];
        float *a = malloc((count + 1) * sizeof *a), *b = malloc((count + 1) * sizeof *b);
        double *x = malloc((count + 1) * sizeof *x), *y = malloc((count + 1) * sizeof *y), expected = 0;
        uint16_t *half = malloc((count + 1) * sizeof *half), *bfloat = malloc((count + 1) * sizeof *bfloat);
        assert_true(a && b && x && y && half && bfloat);
        for (size_t i = 0; i < count; i++) {
            x[i] = a[i] = (float)(i % 17) - 8;
            y[i] = b[i] = (float)(i % 5) + 1;
            expected += x[i] * y[i];
        }
        double squares = 0; /* of 3 and 1.5, in both formats of 16 bits */
        for (size_t i = 0; i < count; i++) {
            half[i] = i % 3 ? 0x4200 : 0x3e00;
            bfloat[i] = i % 3 ? 0x4040 : 0x3fc0;
            squares += i % 3 ? 9 : 2.25;
        }
        for (size_t s = 0; s < 3; s++) {
            double result = NAN;
            assert_int_equal(uskor_dot(uskor, &result, a, b, count, USKOR_FLOAT32, sums[s]), USKOR_OK);
            assert_true(result == expected);
            result = NAN;
            assert_int_equal(uskor_dot(uskor, &result, x, y, count, USKOR_FLOAT64, sums[s]), USKOR_OK);
            assert_true(result == expected);
            assert_int_equal(uskor_dot(uskor, &result, half, half, count, USKOR_FLOAT16, sums[s]), USKOR_OK);
            assert_true(result == squares);
            result = NAN;
            assert_int_equal(uskor_dot(uskor, &result, bfloat, bfloat, count, USKOR_BFLOAT16, sums[s]), USKOR_OK);
            assert_true(result == squares);
        }
        free(a), free(b), free(x), free(y), free(half), free(bfloat);
    }
    uskor_close(uskor);
}

/* 2^60 and its like cancel, and a small rest remains. */
static void exact_sums_lose_nothing(void **state)
{
    (void)state;
    enum { COUNT = 100001 };
    struct uskor *uskor;
    double *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y), result;
    assert_true(x && y);
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = i == COUNT / 2 ? 0x1p-70 : i % 2 ? 0x1.123456789abcdp60 : -0x1.123456789abcdp60;
        y[i] = i == COUNT / 2 ? 1 : 1.5;
    }
    x[0] = 0; /* an even number of the others */
    x[COUNT - 1] = x[COUNT / 2 - 1] == x[1] ? -x[1] : x[1];
    double rest = 0;
    for (size_t i = 0; i < COUNT; i++)
        rest += i == COUNT / 2 ? 0 : x[i] > 0 ? 1 : x[i] < 0 ? -1 : 0;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    assert_int_equal(uskor_dot(uskor, &result, x, y, COUNT, USKOR_FLOAT64, USKOR_SUM_EXACT), USKOR_OK);
    assert_true(result == (rest == 0 ? 0x1p-70 : rest * 0x1.123456789abcdp60 * 1.5 + 0x1p-70));
    uskor_close(uskor);
    free(x), free(y);
}

static void exact_sums_depend_on_no_number_of_threads(void **state)
{
    (void)state;
    enum { COUNT = 300007 };
    struct uskor *uskor;
    float *a = malloc(COUNT * sizeof *a), *b = malloc(COUNT * sizeof *b);
    double first = 0, result, reversed;
    assert_true(a && b);
    for (size_t i = 0; i < COUNT; i++) {
        a[i] = (float)(sin((double)i) * exp2((double)(i % 61) - 30));
        b[i] = (float)cos((double)i * 5);
    }
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (unsigned threads = 1; threads <= 5; threads++) {
        uskor_set_threads(threads);
        assert_int_equal(uskor_dot(uskor, &result, a, b, COUNT, USKOR_FLOAT32, USKOR_SUM_EXACT), USKOR_OK);
        first = threads == 1 ? result : first;
        assert_memory_equal(&first, &result, sizeof result);
    }
    uskor_set_threads(0);
    for (size_t i = 0; i < COUNT / 2; i++) { /* nor on the order */
        const float x = a[i], y = b[i];
        a[i] = a[COUNT - 1 - i], b[i] = b[COUNT - 1 - i];
        a[COUNT - 1 - i] = x, b[COUNT - 1 - i] = y;
    }
    assert_int_equal(uskor_dot(uskor, &reversed, a, b, COUNT, USKOR_FLOAT32, USKOR_SUM_EXACT), USKOR_OK);
    assert_memory_equal(&first, &reversed, sizeof reversed);
    uskor_close(uskor);
    free(a), free(b);
}

static void special_numbers_go_where_ieee_sends_them(void **state)
{
    (void)state;
    struct uskor *uskor;
    double result;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t s = 0; s < 3; s++) {
        const double one[2] = {1, 1}, infinite[2] = {INFINITY, 2}, both[2] = {INFINITY, -INFINITY}, none[2] = {NAN, 1},
                     huge[2] = {1e308, 1e308}, ten[2] = {10, -10};
        assert_int_equal(uskor_dot(uskor, &result, one, infinite, 2, USKOR_FLOAT64, sums[s]), USKOR_OK);
        assert_true(result == INFINITY);
        assert_int_equal(uskor_dot(uskor, &result, one, both, 2, USKOR_FLOAT64, sums[s]), USKOR_OK);
        assert_true(isnan(result));
        assert_int_equal(uskor_dot(uskor, &result, one, none, 2, USKOR_FLOAT64, sums[s]), USKOR_OK);
        assert_true(isnan(result));
        if (sums[s] != USKOR_SUM_EXACT)
            continue;
        assert_int_equal(uskor_dot(uskor, &result, huge, ten, 2, USKOR_FLOAT64, sums[s]), USKOR_OK);
        assert_true(result == 0); /* 1e309 - 1e309 */
        assert_int_equal(uskor_dot(uskor, &result, huge, one, 2, USKOR_FLOAT64, sums[s]), USKOR_OK);
        assert_true(result == INFINITY);
    }
    uskor_close(uskor);
}

/* A device that is there; its floats may be added up in float. */
static void devices_add_too(void **state)
{
    (void)state;
    struct uskor *uskor;
    float a[1000], b[1000];
    double result = 0, expected = 0;
    if (uskor_open(&uskor, "opencl:0") != USKOR_OK)
        skip();
    for (int i = 0; i < 1000; i++) {
        a[i] = (float)(i % 7 - 3);
        b[i] = (float)(i % 11);
        expected += (double)a[i] * (double)b[i];
    }
    for (int round = 0; round < 2; round++) {
        result = NAN;
        assert_int_equal(uskor_dot(uskor, &result, a, b, 1000, USKOR_FLOAT32, USKOR_SUM_FAST), USKOR_OK);
        assert_true(result == expected);
    }
    assert_int_equal(uskor_dot(uskor, &result, a, b, 1000, USKOR_FLOAT32, USKOR_SUM_EXACT), USKOR_UNAVAILABLE);
    uskor_close(uskor);
}

static void refused(struct uskor *uskor, enum uskor_status status, const char *word)
{
    assert_int_equal(status, USKOR_INVALID);
    if (!strstr(uskor_message(uskor), word))
        fail_msg("\"%s\" does not say \"%s\"", uskor_message(uskor), word);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    struct uskor *uskor;
    struct uskor_plan *plan;
    double a[4] = {0}, b[4] = {0}, result;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    refused(uskor, uskor_dot(uskor, &result, a, b, 4, USKOR_INT64, USKOR_SUM_FAST), "no such type");
    refused(uskor, uskor_dot(uskor, &result, a, b, 4, USKOR_INT16, USKOR_SUM_FAST), "no such type");
    refused(uskor, uskor_dot(uskor, &result, a, b, 4, USKOR_FLOAT64, (enum uskor_sum)3), "no such way");
    refused(uskor, uskor_dot(uskor, &result, a, b, SIZE_MAX / 4, USKOR_FLOAT64, USKOR_SUM_FAST), "no memory");
    refused(uskor, uskor_dot(uskor, NULL, a, b, 4, USKOR_FLOAT64, USKOR_SUM_FAST), "result is NULL");
    refused(uskor, uskor_dot(uskor, &result, NULL, b, 4, USKOR_FLOAT64, USKOR_SUM_FAST), "first vector is NULL");
    refused(uskor, uskor_dot(uskor, &result, a, NULL, 4, USKOR_FLOAT64, USKOR_SUM_FAST), "second vector is NULL");
    refused(uskor, uskor_dot(uskor, &result, (char *)a + 4, b, 3, USKOR_FLOAT64, USKOR_SUM_FAST),
            "first vector is not");
    refused(uskor, uskor_dot(uskor, (double *)(void *)((char *)a + 4), b, b, 3, USKOR_FLOAT64, USKOR_SUM_FAST),
            "double");
    refused(uskor, uskor_dot(uskor, &b[3], a, b, 4, USKOR_FLOAT64, USKOR_SUM_FAST), "result lies");
    refused(NULL, uskor_dot(NULL, &result, a, b, 4, USKOR_FLOAT64, USKOR_SUM_FAST), "context is NULL");
    refused(uskor, uskor_plan_dot(uskor, NULL, 4, USKOR_FLOAT64, USKOR_SUM_FAST), "plan is NULL");
    assert_int_equal(uskor_plan_dot(uskor, &plan, 4, USKOR_FLOAT64, USKOR_SUM_EXACT), USKOR_OK);
    refused(uskor, uskor_run(plan, &result, a, NULL), "second vector is NULL");
    assert_int_equal(uskor_run(plan, &result, a, b), USKOR_OK);
    assert_int_equal(uskor_dot(uskor, &result, NULL, NULL, 0, USKOR_FLOAT64, USKOR_SUM_FAST), USKOR_OK);
    assert_true(result == 0);
    assert_int_equal(uskor_plan_free(plan), USKOR_OK);
    uskor_close(uskor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_added_exactly),
        cmocka_unit_test(exact_sums_lose_nothing),
        cmocka_unit_test(exact_sums_depend_on_no_number_of_threads),
        cmocka_unit_test(special_numbers_go_where_ieee_sends_them),
        cmocka_unit_test(devices_add_too),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
