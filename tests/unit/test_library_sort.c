/* uskor_sort, as its users call it: only uskor.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "uskor.h"

#include <cmocka.h>

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Arrays that begin at any multiple of an element, with what stands around them untouched. */
static void sorts_and_touches_nothing_else(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 17, 1000, 4096, 100001};
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (size_t shift = 1; shift < 8; shift += 3) {
            size_t count = counts[c], all = count + shift + 8;
            int64_t *data = malloc(all * sizeof *data), *expected = malloc(all * sizeof *expected);
            assert_true(data && expected);
            for (size_t i = 0; i < all; i++)
                data[i] = expected[i] = (int64_t)(i * 0x9E3779B97F4A7C15u ^ i << 40);
            qsort(expected + shift, count, sizeof *expected, compare);
            assert_int_equal(uskor_sort(uskor, data + shift, count, USKOR_INT64, 0), USKOR_OK);
            assert_memory_equal(data, expected, all * sizeof *data);
            free(data);
            free(expected);
        }
    uskor_close(uskor);
}

static void sorts_every_type(void **state)
{
    (void)state;
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, "cpu"), USKOR_OK);
    float f32[] = {1, -0.5f, 0, -2};
    double f64[] = {1, -0.5, 0, -2};
    int32_t i32[] = {1, INT32_MIN, 0, -2};
    uint32_t u32[] = {1, UINT32_MAX, 0, 2};
    uint64_t u64[] = {1, UINT64_MAX, 0, 2};
    assert_int_equal(uskor_sort(uskor, f32, 4, USKOR_FLOAT32, 0), USKOR_OK);
    assert_int_equal(uskor_sort(uskor, f64, 4, USKOR_FLOAT64, 0), USKOR_OK);
    assert_int_equal(uskor_sort(uskor, i32, 4, USKOR_INT32, 0), USKOR_OK);
    assert_int_equal(uskor_sort(uskor, u32, 4, USKOR_UINT32, 0), USKOR_OK);
    assert_int_equal(uskor_sort(uskor, u64, 4, USKOR_UINT64, 0), USKOR_OK);
    for (int i = 1; i < 4; i++) {
        assert_true(f32[i - 1] < f32[i] && f64[i - 1] < f64[i]);
        assert_true(i32[i - 1] < i32[i] && u32[i - 1] < u32[i] && u64[i - 1] < u64[i]);
    }
    uskor_close(uskor);
}

static void refuses_wrong_arguments(void **state)
{
    (void)state;
    struct uskor *uskor;
    double data[2] = {2, 1};
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    assert_int_equal(uskor_sort(uskor, NULL, 0, USKOR_FLOAT64, 0), USKOR_OK);
    assert_int_equal(uskor_sort(uskor, NULL, 1, USKOR_FLOAT64, 0), USKOR_INVALID);
    assert_string_equal(uskor_message(uskor), "sort: the array is NULL");
    assert_int_equal(uskor_sort(uskor, data, SIZE_MAX / 4, USKOR_FLOAT64, 0), USKOR_INVALID);
    assert_non_null(strstr(uskor_message(uskor), "fit in no memory"));
    assert_int_equal(uskor_sort(uskor, (char *)data + 4, 1, USKOR_FLOAT64, 0), USKOR_INVALID);
    assert_non_null(strstr(uskor_message(uskor), "multiple of its elements' 8 bytes"));
    assert_int_equal(uskor_sort(uskor, data, 2, (enum uskor_number)99, 0), USKOR_INVALID);
    assert_string_equal(uskor_message(uskor), "sort: no such type of numbers");
    uskor_close(uskor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_and_touches_nothing_else),
        cmocka_unit_test(sorts_every_type),
        cmocka_unit_test(refuses_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
