/* Sorts along an axis, partitions, the rule for NaNs, and the caller's own scratch memory: only uskor.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "uskor.h"

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static float *random_floats(size_t count, unsigned modulus)
{
    float *data = malloc((count + 1) * sizeof *data);
    uint32_t word = 5;
    assert_non_null(data);
    for (size_t i = 0; i < count; i++) {
        word = word * 1664525 + 1013904223;
        data[i] = word >> 28 == 0 ? NAN : (float)((int)((word >> 8) % modulus) - (int)modulus / 2);
    }
    return data;
}

static size_t at(size_t line, size_t i, size_t n, size_t stride)
{
    return (line / stride * n + i) * stride + line % stride;
}

/* Whether `a` may stand before `b`. */
static bool in_order(float a, float b, unsigned flags)
{
    if (isnan(a) || isnan(b))
        return flags & USKOR_NANS_FIRST ? isnan(a) : isnan(b);
    return flags & USKOR_DESCENDING ? a >= b : a <= b;
}

static const size_t shapes[][3] = {{1, 1, 1},    {2, 5, 1},    {7, 3, 4},     {100, 1, 33}, {33, 17, 1}, {5, 2, 100},
                                   {1000, 3, 2}, {257, 4, 16}, {70000, 2, 1}, {300, 0, 4},  {0, 3, 4}};

static void lines_are_sorted(void **state)
{
    (void)state;
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (unsigned flags = 0; flags < 4; flags++) {
            const size_t n = shapes[s][0], batch = shapes[s][1], stride = shapes[s][2], all = n * batch * stride;
            float *before = random_floats(all, 500), *data = malloc((all + 1) * sizeof *data),
                  *keys = malloc((all + 1) * sizeof *keys);
            uint32_t *order = malloc((all + 1) * sizeof *order);
            uint64_t *values = malloc((all + 1) * sizeof *values);
            assert_true(data && keys && order && values);
            memcpy(data, before, all * sizeof *data);
            memcpy(keys, before, all * sizeof *keys);
            for (size_t i = 0; i < all; i++)
                values[i] = i;
            if (uskor_sort_lines(uskor, data, n, batch, stride, USKOR_FLOAT32, flags) != USKOR_OK)
                fail_msg("%s", uskor_message(uskor));
            assert_int_equal(uskor_argsort_lines(uskor, order, before, n, batch, stride, USKOR_FLOAT32, 4, flags),
                             USKOR_OK);
            assert_int_equal(uskor_sort_pairs_lines(uskor, keys, values, n, batch, stride, USKOR_FLOAT32, 8, flags),
                             USKOR_OK);
            for (size_t line = 0; line < batch * stride; line++)
                for (size_t i = 0; i < n; i++) {
                    const size_t here = at(line, i, n, stride);
                    if (i > 0)
                        assert_true(in_order(data[at(line, i - 1, n, stride)], data[here], flags));
                    assert_true(order[here] < n);
                    const float ordered = before[at(line, order[here], n, stride)];
                    assert_true(ordered == data[here] || (isnan(ordered) && isnan(data[here])));
                    assert_int_equal(values[here], at(line, order[here], n, stride));
                    assert_memory_equal(&keys[here], &before[values[here]], sizeof(float));
                    if (i > 0 && data[at(line, i - 1, n, stride)] == data[here])
                        assert_true(order[at(line, i - 1, n, stride)] < order[here]);
                }
            free(before), free(data), free(keys), free(order), free(values);
        }
    uskor_close(uskor);
}

static void assert_partition(const float *data, size_t n, size_t first, size_t line, size_t stride, unsigned flags)
{
    const float last = data[at(line, first - 1, n, stride)];
    for (size_t i = 0; i < n; i++) {
        const float x = data[at(line, i, n, stride)];
        assert_true(i < first ? in_order(x, last, flags) : in_order(last, x, flags));
    }
}

static void partitions(void **state)
{
    (void)state;
    struct uskor *uskor;
    static const size_t counts[] = {1, 2, 50, 129, 1000, 40000};
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t c = 0; c < COUNT(counts); c++)
        for (size_t part = 0; part < 6; part++)
            for (unsigned flags = 0; flags < 4; flags++) {
                const size_t n = counts[c], first = 1 + (n - 1) * part / 5;
                float *data = random_floats(n, part % 2 ? 7 : 100000), *lines = random_floats(3 * n, 1000);
                double sum = 0, after = 0;
                for (size_t i = 0; i < n; i++)
                    sum += isnan(data[i]) ? 1e9 : (double)data[i];
                assert_int_equal(uskor_partition(uskor, data, n, first, USKOR_FLOAT32, flags), USKOR_OK);
                for (size_t i = 0; i < n; i++)
                    after += isnan(data[i]) ? 1e9 : (double)data[i];
                assert_true(sum == after);
                assert_partition(data, n, first, 0, 1, flags);
                assert_int_equal(uskor_partition_lines(uskor, lines, n, first, 1, 3, USKOR_FLOAT32, flags), USKOR_OK);
                for (size_t line = 0; line < 3; line++)
                    assert_partition(lines, n, first, line, 3, flags);
                free(data), free(lines);
            }
    uskor_close(uskor);
}

static void scratch_memory_of_the_callers(void **state)
{
    (void)state;
    struct uskor *uskor;
    struct uskor_plan *plan, *none;
    const size_t n = 50000;
    float *data = random_floats(n, 100000), *before = random_floats(n, 100000);
    uint32_t *order = malloc(n * sizeof *order);
    assert_non_null(order);
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    assert_int_equal(uskor_plan_argsort(uskor, &plan, n, USKOR_FLOAT32, 4, 0), USKOR_OK);
    assert_int_equal(uskor_plan_transpose(uskor, &none, 3, 3, 4), USKOR_OK);
    const size_t bytes = uskor_plan_scratch(plan);
    assert_true(bytes >= n * 8);
    assert_int_equal(uskor_plan_scratch(none), 0);
    assert_int_equal(uskor_plan_scratch(NULL), 0);
    unsigned char *scratch = aligned_alloc(64, (bytes + 127) / 64 * 64);
    assert_non_null(scratch);
    memset(scratch + bytes, 0xA5, 64);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(uskor_run_within(plan, order, data, NULL, scratch, bytes), USKOR_OK);
        for (size_t i = 1; i < n; i++)
            assert_true(in_order(data[order[i - 1]], data[order[i]], 0));
        for (size_t i = 0; i < 64; i++)
            assert_int_equal(scratch[bytes + i], 0xA5);
    }
    assert_int_equal(uskor_run_within(plan, order, data, NULL, scratch, bytes - 1), USKOR_INVALID);
    assert_non_null(strstr(uskor_message(uskor), "the plan needs"));
    assert_int_equal(uskor_run_within(plan, order, data, NULL, scratch + 1, bytes), USKOR_INVALID);
    assert_non_null(strstr(uskor_message(uskor), "64 bytes"));
    assert_int_equal(uskor_run_within(NULL, order, data, NULL, scratch, bytes), USKOR_INVALID);
    assert_int_equal(uskor_run(plan, order, before, NULL), USKOR_OK);
    for (size_t i = 1; i < n; i++)
        assert_true(in_order(before[order[i - 1]], before[order[i]], 0));
    uskor_plan_free(plan);
    uskor_plan_free(none);
    uskor_close(uskor);
    free(data), free(before), free(order), free(scratch);
}

#define REFUSED(word, call)                                                     \
    do {                                                                        \
        assert_int_equal(call, USKOR_INVALID);                                  \
        if (!strstr(uskor_message(uskor), word))                                \
            fail_msg("\"%s\" does not say \"%s\"", uskor_message(uskor), word); \
    } while (0)

static void refuses_wrong_arguments(void **state)
{
    (void)state;
    struct uskor *uskor;
    struct uskor_plan *plan = NULL;
    float m[64] = {0};
    uint32_t order[64];
    const enum uskor_number f32 = USKOR_FLOAT32;
    const size_t large = (size_t)1 << 32;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    REFUSED("no such flags: 0x4", uskor_sort_lines(uskor, m, 4, 2, 2, f32, 4));
    REFUSED("no such flags", uskor_partition(uskor, m, 4, 2, f32, 8));
    REFUSED("no such type", uskor_partition(uskor, m, 4, 2, (enum uskor_number)99, 0));
    REFUSED("fit in no memory", uskor_sort_lines(uskor, m, large, large, 1, f32, 0));
    REFUSED("fit in no memory", uskor_sort_lines(uskor, m, large, 1, large, f32, 0));
    REFUSED("the array is NULL", uskor_sort_lines(uskor, NULL, 4, 2, 2, f32, 0));
    REFUSED("the array is NULL", uskor_partition(uskor, NULL, 4, 2, f32, 0));
    REFUSED("not at a multiple", uskor_partition(uskor, (char *)m + 1, 4, 2, f32, 0));
    REFUSED("of indices is NULL", uskor_argsort_lines(uskor, NULL, m, 4, 2, 2, f32, 4, 0));
    REFUSED("indices of 3 bytes", uskor_argsort_lines(uskor, order, m, 4, 2, 2, f32, 3, 0));
    REFUSED("values of 16 bytes", uskor_sort_pairs_lines(uskor, m, order, 4, 2, 2, f32, 16, 0));
    REFUSED("the arrays overlap", uskor_sort_pairs_lines(uskor, m, m + 15, 4, 2, 2, f32, 4, 0));
    REFUSED("the arrays overlap", uskor_argsort_lines(uskor, m + 15, m, 4, 4, 1, f32, 4, 0));
    REFUSED("no such flags", uskor_plan_sort_lines(uskor, &plan, 4, 2, 2, f32, 64));
    assert_null(plan);
    assert_int_equal(uskor_partition(NULL, m, 4, 2, f32, 0), USKOR_INVALID);
    assert_int_equal(uskor_sort_lines(NULL, m, 4, 2, 2, f32, 0), USKOR_INVALID);
    assert_int_equal(uskor_partition(uskor, NULL, 0, 2, f32, 0), USKOR_OK);
    assert_int_equal(uskor_partition(uskor, m, 4, 0, f32, 0), USKOR_OK);
    uskor_close(uskor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_sorted),
        cmocka_unit_test(partitions),
        cmocka_unit_test(scratch_memory_of_the_callers),
        cmocka_unit_test(refuses_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
