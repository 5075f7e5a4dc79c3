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
    int64_t i64[] = {1, INT64_MIN, 0, -2};
    uint32_t u32[] = {1, UINT32_MAX, 0, 2};
    uint64_t u64[] = {1, UINT64_MAX, 0, 2};
    static const float f32_sorted[] = {-2, -0.5f, 0, 1};
    static const double f64_sorted[] = {-2, -0.5, 0, 1};
    static const int32_t i32_sorted[] = {INT32_MIN, -2, 0, 1};
    static const int64_t i64_sorted[] = {INT64_MIN, -2, 0, 1};
    static const uint32_t u32_sorted[] = {0, 1, 2, UINT32_MAX};
    static const uint64_t u64_sorted[] = {0, 1, 2, UINT64_MAX};
    const struct {
        void *data;
        const void *sorted;
        size_t bytes;
        enum uskor_number type;
    } rows[] = {
        {f32, f32_sorted, sizeof f32, USKOR_FLOAT32}, {f64, f64_sorted, sizeof f64, USKOR_FLOAT64},
        {i32, i32_sorted, sizeof i32, USKOR_INT32},   {i64, i64_sorted, sizeof i64, USKOR_INT64},
        {u32, u32_sorted, sizeof u32, USKOR_UINT32},  {u64, u64_sorted, sizeof u64, USKOR_UINT64},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(uskor_sort(uskor, rows[i].data, 4, rows[i].type, 0), USKOR_OK);
        assert_memory_equal(rows[i].data, rows[i].sorted, rows[i].bytes);
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
