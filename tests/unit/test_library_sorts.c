/* uskor_sort with flags and narrow types, uskor_sort_pairs, uskor_argsort, as their users call them: only uskor.h. */
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

static uint64_t drawn;

static uint64_t draw(void)
{
    uint64_t z = drawn += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    return z ^ (z >> 27);
}

/* The number at `index`, as a double: exact for all of these types. */
static double value_of(enum uskor_number type, const void *data, size_t index)
{
    uint16_t bits;
    uint32_t wide;
    float number;
    switch (type) {
    case USKOR_FLOAT32:
        return (double)((const float *)data)[index];
    case USKOR_FLOAT64:
        return ((const double *)data)[index];
    case USKOR_INT32:
        return ((const int32_t *)data)[index];
    case USKOR_UINT32:
        return ((const uint32_t *)data)[index];
    case USKOR_INT8:
        return ((const int8_t *)data)[index];
    case USKOR_UINT8:
        return ((const uint8_t *)data)[index];
    case USKOR_INT16:
        return ((const int16_t *)data)[index];
    case USKOR_UINT16:
        return ((const uint16_t *)data)[index];
    case USKOR_BFLOAT16:
        wide = (uint32_t)((const uint16_t *)data)[index] << 16;
        memcpy(&number, &wide, sizeof number);
        return (double)number;
    default: /* USKOR_FLOAT16 */
        bits = ((const uint16_t *)data)[index];
        if ((bits & 0x7c00) == 0x7c00)
            return bits & 0x3ff ? NAN : bits & 0x8000 ? -INFINITY : INFINITY;
        return ldexp(bits & 0x7c00 ? (bits & 0x3ff) | 0x400 : bits & 0x3ff,
                     ((bits >> 10 & 31) ? (bits >> 10 & 31) : 1) - 25) *
               (bits & 0x8000 ? -1 : 1);
    }
}

static const struct {
    enum uskor_number type;
    size_t bytes;
} types[] = {{USKOR_FLOAT32, 4}, {USKOR_FLOAT64, 8}, {USKOR_INT32, 4},  {USKOR_UINT32, 4},  {USKOR_INT8, 1},
             {USKOR_UINT8, 1},   {USKOR_INT16, 2},   {USKOR_UINT16, 2}, {USKOR_FLOAT16, 2}, {USKOR_BFLOAT16, 2}};
#define TYPES (sizeof types / sizeof types[0])

/* Random bits, NaNs among them; few distinct ones where `few`. */
static void fill(size_t t, unsigned char *data, size_t count, bool few)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t word = few ? draw() % 5 * 0x0123456789abcdefu : draw();
        if (types[t].bytes == 8 && few) /* as many upper halves, and hundreds of lower ones with each */
            word ^= draw() % 700;
        if (types[t].type == USKOR_FLOAT32 && few)
            word &= 0xff7fffff;
        memcpy(data + i * types[t].bytes, &word, types[t].bytes);
    }
}

/* Whether `a` stands rightly before `b`; equal ones do. */
static bool in_order(double a, double b, bool descending)
{
    if (isnan(b))
        return true;
    if (isnan(a))
        return false;
    if (a == 0 && b == 0)
        return descending ? !signbit(a) || signbit(b) : signbit(a) || !signbit(b);
    return descending ? a >= b : a <= b;
}

static bool alike(double a, double b)
{
    return in_order(a, b, false) && in_order(b, a, false);
}

static void expect_order(size_t t, const void *data, const uint64_t *places, size_t count, bool descending)
{
    for (size_t i = 1; i < count; i++) {
        const double before = value_of(types[t].type, data, places[i - 1]),
                     after = value_of(types[t].type, data, places[i]);
        assert_true(in_order(before, after, descending));
        if (alike(before, after))
            assert_true(places[i - 1] < places[i]); /* stable: so each place occurs once */
    }
}

static void expect_all(struct uskor *uskor, size_t t, size_t count, bool few, unsigned flags)
{
    const size_t bytes = types[t].bytes;
    unsigned char *data = malloc(count * bytes + 8), *sorted = malloc(count * bytes + 8),
                  *keys = malloc(count * bytes + 8);
    uint64_t *wide = calloc(count + 1, 8), *values = calloc(count + 1, 8), *places = calloc(count + 1, 8);
    uint32_t *narrow = calloc(count + 1, 4), *short_values = calloc(count + 1, 4);
    assert_true(data && sorted && keys && wide && values && narrow && places && short_values);
    fill(t, data, count, few);
    memcpy(sorted, data, count * bytes);
    memcpy(keys, data, count * bytes);
    for (size_t i = 0; i < count; i++) {
        values[i] = ~(uint64_t)i;
        short_values[i] = (uint32_t)(i * 3);
    }
    assert_int_equal(uskor_argsort(uskor, wide, data, count, types[t].type, 8, flags), USKOR_OK);
    assert_memory_equal(data, keys, count * bytes);
    assert_int_equal(uskor_argsort(uskor, narrow, data, count, types[t].type, 4, flags), USKOR_OK);
    expect_order(t, data, wide, count, flags & USKOR_DESCENDING);
    for (size_t top = 1; top <= count + 1; top = top * 3 + 1) {
        memset(places, 0xff, (count + 1) * sizeof *places);
        assert_int_equal(uskor_partial_argsort(uskor, places, data, count, top, types[t].type, 8, flags), USKOR_OK);
        assert_memory_equal(places, wide, (top < count ? top : count) * sizeof *places);
        assert_true(top >= count || places[top] == UINT64_MAX);
    }
    assert_int_equal(uskor_sort_pairs(uskor, keys, values, count, types[t].type, 8, flags), USKOR_OK);
    for (size_t i = 0; i < count; i++) {
        assert_true(wide[i] < count && narrow[i] == wide[i] && values[i] == ~wide[i]);
        assert_memory_equal(keys + i * bytes, data + wide[i] * bytes, bytes);
    }
    memcpy(keys, data, count * bytes);
    assert_int_equal(uskor_sort_pairs(uskor, keys, short_values, count, types[t].type, 4, flags), USKOR_OK);
    for (size_t i = 0; i < count; i++)
        assert_true(short_values[i] == (uint32_t)(wide[i] * 3));
    assert_int_equal(uskor_sort(uskor, sorted, count, types[t].type, flags), USKOR_OK);
    for (size_t i = 0; i < count; i++) {
        const double a = value_of(types[t].type, sorted, i), b = value_of(types[t].type, data, wide[i]);
        assert_true(alike(a, b));
    }
    free(data), free(sorted), free(keys), free(wide), free(values), free(narrow), free(places), free(short_values);
}

static void every_type_is_sorted_in_either_order(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 3, 100, 2049, 70001};
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t t = 0; t < TYPES; t++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            for (unsigned form = 0; form < 4; form++)
                expect_all(uskor, t, counts[c], form & 1, form & 2 ? USKOR_DESCENDING : 0);
    uskor_close(uskor);
}

static void the_first_of_them_come_first(void **state)
{
    (void)state;
    static const size_t tops[] = {0, 1, 10, 999, 1000, 5000};
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t t = 0; t < TYPES; t++)
        for (size_t i = 0; i < 2 * sizeof tops / sizeof tops[0]; i++) {
            const unsigned flags = i % 2 ? USKOR_DESCENDING : 0;
            const size_t count = 1000 + 30000 * (i % 3), top = tops[i / 2], end = top < count ? top : count;
            unsigned char *data = malloc(8 * count), *sorted = malloc(8 * count);
            assert_true(data && sorted);
            fill(t, data, count, false);
            memcpy(sorted, data, 8 * count);
            assert_int_equal(uskor_sort(uskor, sorted, count, types[t].type, flags), USKOR_OK);
            assert_int_equal(uskor_partial_sort(uskor, data, count, top, types[t].type, flags), USKOR_OK);
            for (size_t k = 0; k < end; k++)
                assert_true(alike(value_of(types[t].type, data, k), value_of(types[t].type, sorted, k)));
            assert_int_equal(uskor_sort(uskor, data, count, types[t].type, flags), USKOR_OK);
            for (size_t k = 0; k < count; k++) /* none is lost */
                assert_true(alike(value_of(types[t].type, data, k), value_of(types[t].type, sorted, k)));
            free(data), free(sorted);
        }
    uskor_close(uskor);
}

static void equal_ones_are_kept_once(void **state)
{
    (void)state;
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t t = 0; t < TYPES; t++)
        for (size_t i = 0; i < 12; i++) {
            const unsigned flags = i % 2 ? USKOR_DESCENDING : 0;
            const size_t count = i / 4 * 20001;
            unsigned char *data = malloc(8 * count + 8), *sorted = malloc(8 * count + 8);
            size_t kept = 77, expected = 0;
            assert_true(data && sorted);
            fill(t, data, count, i % 4 < 2);
            memcpy(sorted, data, 8 * count);
            assert_int_equal(uskor_sort(uskor, sorted, count, types[t].type, flags), USKOR_OK);
            assert_int_equal(uskor_sort_unique(uskor, data, count, &kept, types[t].type, flags), USKOR_OK);
            for (size_t k = 0; k < count; k++) {
                const double value = value_of(types[t].type, sorted, k);
                if (k > 0 && alike(value, value_of(types[t].type, sorted, k - 1)))
                    continue;
                assert_true(expected < kept && alike(value, value_of(types[t].type, data, expected)));
                expected++;
            }
            assert_int_equal(kept, expected);
            free(data), free(sorted);
        }
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
    uint32_t keys[8] = {0}, values[16] = {0};
    const enum uskor_number u32 = USKOR_UINT32;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    refused(uskor, uskor_sort(uskor, keys, 8, u32, 16), "no such flags");
    refused(uskor, uskor_sort_pairs(uskor, keys, values, 8, u32, 0, 0), "values of 0 bytes");
    refused(uskor, uskor_sort_pairs(uskor, keys, values, 8, u32, 2, 0), "values of 2 bytes");
    refused(uskor, uskor_sort_pairs(uskor, NULL, values, 8, u32, 4, 0), "array is NULL");
    refused(uskor, uskor_sort_pairs(uskor, keys, NULL, 8, u32, 4, 0), "of values is NULL");
    refused(uskor, uskor_sort_pairs(uskor, keys, (char *)values + 4, 2, u32, 8, 0), "not at a multiple");
    refused(uskor, uskor_sort_pairs(uskor, keys, keys + 4, 8, u32, 4, 0), "overlap");
    refused(uskor, uskor_sort_pairs(uskor, keys, values, SIZE_MAX / 2, USKOR_INT8, 8, 0), "no memory");
    refused(uskor, uskor_sort_pairs(uskor, keys, values, 8, (enum uskor_number)99, 4, 0), "no such type");
    refused(NULL, uskor_sort_pairs(NULL, keys, values, 8, u32, 4, 0), "context is NULL");
    refused(uskor, uskor_argsort(uskor, values, keys, 8, u32, 0, 0), "indices of 0 bytes");
    refused(uskor, uskor_argsort(uskor, values, keys, 8, u32, 16, 0), "indices of 16 bytes");
    refused(uskor, uskor_argsort(uskor, values, keys, (size_t)1 << 32, USKOR_INT8, 4, 0), "indices of 4 bytes");
    refused(uskor, uskor_argsort(uskor, NULL, keys, 8, u32, 4, 0), "of indices is NULL");
    refused(uskor, uskor_argsort(uskor, values, NULL, 8, u32, 4, 0), "array is NULL");
    refused(uskor, uskor_argsort(uskor, keys + 1, keys, 7, u32, 4, 0), "overlap");
    refused(uskor, uskor_argsort(uskor, values, keys, 8, u32, 4, 9), "no such flags");
    refused(NULL, uskor_argsort(NULL, values, keys, 8, u32, 4, 0), "context is NULL");
    refused(uskor, uskor_plan_argsort(uskor, &plan, 8, u32, 3, 0), "indices of 3 bytes");
    refused(uskor, uskor_partial_argsort(uskor, values, keys, 8, 3, u32, 2, 0), "indices of 2 bytes");
    refused(uskor, uskor_partial_argsort(uskor, NULL, keys, 8, 3, u32, 4, 0), "of indices is NULL");
    refused(uskor, uskor_partial_argsort(uskor, keys + 7, keys, 8, 1, u32, 4, 0), "overlap");
    refused(uskor, uskor_plan_partial_argsort(uskor, &plan, (size_t)1 << 32, 3, u32, 4, 0), "indices of 4 bytes");
    assert_int_equal(uskor_partial_argsort(uskor, keys + 8, keys, 8, 0, u32, 4, 0), USKOR_OK);
    assert_null(plan);
    assert_int_equal(uskor_plan_argsort(uskor, &plan, 8, u32, 8, USKOR_DESCENDING), USKOR_OK);
    refused(uskor, uskor_run(plan, NULL, keys, NULL), "of indices is NULL");
    assert_int_equal(uskor_run(plan, values, keys, NULL), USKOR_OK);
    assert_int_equal(uskor_plan_free(plan), USKOR_OK);
    size_t kept;
    refused(uskor, uskor_partial_sort(uskor, NULL, 8, 3, u32, 0), "array is NULL");
    refused(uskor, uskor_partial_sort(uskor, keys, 8, 3, u32, 4), "no such flags");
    refused(uskor, uskor_partial_sort(uskor, keys, SIZE_MAX / 2, 3, u32, 0), "no memory");
    refused(NULL, uskor_partial_sort(NULL, keys, 8, 3, u32, 0), "context is NULL");
    refused(uskor, uskor_sort_unique(uskor, keys, 8, NULL, u32, 0), "distinct elements is NULL");
    refused(uskor, uskor_sort_unique(uskor, NULL, 8, &kept, u32, 0), "array is NULL");
    refused(uskor, uskor_sort_unique(uskor, values, 8, (size_t *)(void *)values, u32, 0), "in the array");
    refused(NULL, uskor_sort_unique(NULL, keys, 8, &kept, u32, 0), "context is NULL");
    assert_int_equal(uskor_plan_sort_unique(uskor, &plan, 8, u32, 0), USKOR_OK);
    refused(uskor, uskor_run(plan, keys, NULL, NULL), "distinct elements is NULL");
    assert_int_equal(uskor_run(plan, keys, NULL, &kept), USKOR_OK);
    assert_true(kept >= 1 && kept <= 8);
    assert_int_equal(uskor_plan_free(plan), USKOR_OK);
    assert_int_equal(uskor_sort_pairs(uskor, NULL, NULL, 0, u32, 8, 0), USKOR_OK);
    assert_int_equal(uskor_argsort(uskor, NULL, NULL, 0, u32, 4, 0), USKOR_OK);
    uskor_close(uskor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_sorted_in_either_order),
        cmocka_unit_test(the_first_of_them_come_first),
        cmocka_unit_test(equal_ones_are_kept_once),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
