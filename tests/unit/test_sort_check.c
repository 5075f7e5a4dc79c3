/* The sort's judge: the documented order, and every planted error caught. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "kernels/kernel.h"
#include "kernels/sort/check.h"
#include "kernels/sort/order.h"

#include <cmocka.h>

#include "verdicts.h"

#define COUNT 4099

static const enum element_type types[] = {ELEMENT_F32, ELEMENT_F64, ELEMENT_I32, ELEMENT_U32, ELEMENT_I64, ELEMENT_U64};

static uint64_t key(enum element_type type, uint64_t bits)
{
    struct key_order order = key_order(type);
    return element_info(type)->bytes == 4 ? key_of_32((uint32_t)bits, &order) : key_of_64(bits, &order);
}

static uint64_t bits(enum element_type type, uint64_t k)
{
    struct key_order order = key_order(type);
    return element_info(type)->bytes == 4 ? bits_of_32((uint32_t)k, &order) : bits_of_64(k, &order);
}

static void ascends(enum element_type type, const uint64_t *elements, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(bits(type, key(type, elements[i])), elements[i]);
        if (i > 0)
            assert_true(key(type, elements[i - 1]) < key(type, elements[i]));
    }
}

static void keys_follow_the_order(void **state)
{
    (void)state;
    const uint64_t f32[] = {0xff800000, 0xff7fffff, 0xbf800000, 0x80000001, 0x80000000, 0,          1,
                            0x3f800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff, 0xffffffff, 0xff800001};
    const uint64_t f64[] = {0xfff0000000000000, 0xbff0000000000000, 0x8000000000000000, 0,         1,
                            0x3ff0000000000000, 0x7ff0000000000000, 0x7ff0000000000001, UINT64_MAX};
    const uint64_t i32[] = {0x80000000, 0xffffffff, 0, 1, 0x7fffffff};
    const uint64_t i64[] = {UINT64_C(1) << 63, UINT64_MAX, 0, 1, INT64_MAX};
    const uint64_t unsigned_ones[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
    ascends(ELEMENT_F32, f32, COUNT_OF(f32));
    ascends(ELEMENT_F64, f64, COUNT_OF(f64));
    ascends(ELEMENT_I32, i32, COUNT_OF(i32));
    ascends(ELEMENT_I64, i64, COUNT_OF(i64));
    ascends(ELEMENT_U32, unsigned_ones, COUNT_OF(unsigned_ones));
    ascends(ELEMENT_U64, unsigned_ones, COUNT_OF(unsigned_ones));
}

/* A sorted array of numbers with some of them equal, and its copy. */
struct arrays {
    enum element_type type;
    size_t bytes;
    unsigned char before[COUNT * 8], after[COUNT * 8];
};

static void put(struct arrays *arrays, unsigned char *data, size_t index, uint64_t value)
{
    memcpy(data + index * arrays->bytes, &value, arrays->bytes); /* little-endian */
}

static uint64_t get(const struct arrays *arrays, size_t index)
{
    uint64_t value = 0;
    memcpy(&value, arrays->after + index * arrays->bytes, arrays->bytes);
    return value;
}

static void make(struct arrays *arrays, enum element_type type)
{
    arrays->type = type;
    arrays->bytes = element_info(type)->bytes;
    uint64_t step = (arrays->bytes == 4 ? UINT32_MAX : UINT64_MAX) / COUNT * 9 / 10;
    for (size_t i = 0; i < COUNT; i++) {
        put(arrays, arrays->before, i, bits(type, (i - i % 3) * step));
        put(arrays, arrays->after, i, bits(type, (i - i % 3) * step));
    }
}

static bool passes(const struct arrays *arrays)
{
    struct check_result result;
    sort_check(arrays->type, false, arrays->before, arrays->after, COUNT, &result);
    assert_int_equal(result.passed, result.reason[0] == '\0');
    assert_int_equal(result.passed, result.worst == 0);
    return result.passed;
}

static void planted_errors_are_caught(void **state)
{
    (void)state;
    static struct arrays arrays;
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        static const size_t places[] = {0, 1, COUNT / 2, COUNT - 2, COUNT - 1};
        for (size_t p = 0; p < COUNT_OF(places); p++) {
            size_t at = places[p], other = at < 3 ? at + 3 : at - 3;
            make(&arrays, types[t]);
            assert_true(passes(&arrays));
            uint64_t element = get(&arrays, at);
            for (size_t bit = 0; bit < 8 * arrays.bytes; bit += 5) { /* one changed */
                put(&arrays, arrays.after, at, element ^ UINT64_C(1) << bit);
                assert_false(passes(&arrays));
            }
            put(&arrays, arrays.after, at, get(&arrays, other)); /* one lost, its neighbour doubled: */
            assert_false(passes(&arrays));
            put(&arrays, arrays.after, at, get(&arrays, at < 3 ? 3 : at / 3 * 3 - 1)); /* the same, still in order */
            if (get(&arrays, at) != element)
                assert_false(passes(&arrays));
            put(&arrays, arrays.after, at, get(&arrays, other)); /* two swapped */
            put(&arrays, arrays.after, other, element);
            assert_false(passes(&arrays));
        }
        make(&arrays, types[t]);
        memset(arrays.after, 0xa5, sizeof arrays.after); /* never written */
        assert_false(passes(&arrays));
    }
}

static void disorder_is_located(void **state)
{
    (void)state;
    const uint32_t before[] = {4, 3, 2, 1}, after[] = {1, 3, 2, 4};
    struct check_result result;
    sort_check(ELEMENT_U32, false, before, after, 4, &result);
    expect_wrong(result);
    assert_string_equal(result.where, "[2]");
    assert_string_equal(result.reason,
                        "1 of 4 elements stand behind a greater one, the first at [2]: expected at least 3, got 2");
}

static bool floats_pass(const uint32_t *before, const uint32_t *after, size_t count)
{
    struct check_result result;
    sort_check(ELEMENT_F32, false, before, after, count, &result);
    return result.passed;
}

static void nan_and_zero_have_their_places(void **state)
{
    (void)state;
    enum { ONE = 0x3f800000, NAN_UP = 0x7fc00000, NAN_DOWN = 0xffc00001, MINUS_ZERO = (int)0x80000000u };
    const uint32_t input[] = {NAN_DOWN, ONE, NAN_UP, 0, (uint32_t)MINUS_ZERO};
    const uint32_t right[] = {(uint32_t)MINUS_ZERO, 0, ONE, NAN_UP, NAN_DOWN};
    const uint32_t also_right[] = {(uint32_t)MINUS_ZERO, 0, ONE, NAN_DOWN, NAN_UP};
    const uint32_t zeros_wrong[] = {0, (uint32_t)MINUS_ZERO, ONE, NAN_UP, NAN_DOWN};
    const uint32_t nan_first[] = {NAN_DOWN, (uint32_t)MINUS_ZERO, 0, ONE, NAN_UP};
    const uint32_t nan_between[] = {(uint32_t)MINUS_ZERO, 0, NAN_UP, ONE, NAN_DOWN};
    const uint32_t nan_replaced[] = {(uint32_t)MINUS_ZERO, 0, ONE, NAN_UP, NAN_UP};
    assert_true(floats_pass(input, right, 5));
    assert_true(floats_pass(input, also_right, 5));
    assert_false(floats_pass(input, zeros_wrong, 5));
    assert_false(floats_pass(input, nan_first, 5));
    assert_false(floats_pass(input, nan_between, 5));
    assert_false(floats_pass(input, nan_replaced, 5));
}

/* The same elements in the other byte order have the same fingerprint. */
static void byte_order_does_not_matter(void **state)
{
    (void)state;
    const uint32_t one[] = {1, 2, 0x01020304}, other[] = {0x01000000, 0x02000000, 0x04030201};
    struct multiset a = sort_multiset(ELEMENT_U32, one, 3, false), b = sort_multiset(ELEMENT_U32, other, 3, true);
    struct multiset c = sort_multiset(ELEMENT_U32, other, 3, false);
    assert_true(multiset_equal(&a, &b));
    assert_false(multiset_equal(&a, &c));
}

/* The first three of the order of six numbers, equal ones and a NaN among them. */
static bool indices_pass(uint32_t first, uint32_t second, uint32_t third)
{
    const uint32_t numbers[] = {0x7fc00000, 0x40000000, 0x3f800000, 0x40000000, 0x3f800000, 0x40400000};
    const uint32_t indices[] = {first, second, third};
    struct problem problem;
    struct error error;
    struct check_result result;
    assert_int_equal(problem_parse("sort:n=6,values=index32,top=3", &problem, &error), STATUS_OK);
    sort_check_options(&problem, (struct host_arrays){{(void *)(uintptr_t)numbers}},
                       (struct host_arrays){{NULL, (void *)(uintptr_t)indices}}, &result);
    return result.passed;
}

static void first_indices_are_those_of_the_stable_order(void **state)
{
    (void)state;
    assert_true(indices_pass(2, 4, 1));
    assert_false(indices_pass(4, 2, 1)); /* not stable */
    assert_false(indices_pass(2, 4, 3)); /* another of the same number comes before */
    assert_false(indices_pass(2, 1, 3)); /* one is left out */
    assert_false(indices_pass(2, 4, 4));
    assert_false(indices_pass(2, 4, 5));
    assert_false(indices_pass(2, 4, 0)); /* the NaN */
    assert_false(indices_pass(2, 4, 6));
}

static void nothing_is_sorted(void **state)
{
    (void)state;
    struct check_result result;
    sort_check(ELEMENT_F64, false, NULL, NULL, 0, &result);
    expect_right(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_follow_the_order),
        cmocka_unit_test(planted_errors_are_caught),
        cmocka_unit_test(disorder_is_located),
        cmocka_unit_test(nan_and_zero_have_their_places),
        cmocka_unit_test(byte_order_does_not_matter),
        cmocka_unit_test(nothing_is_sorted),
        cmocka_unit_test(first_indices_are_those_of_the_stable_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
