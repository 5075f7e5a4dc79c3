/* The comparator against numbers worked out by hand, and its self-test against comparators that are broken on purpose.
 */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "base/comparator.h"
#include "base/random.h"
#include "base/size.h"

#include <cmocka.h>

static const struct tolerance exact = {0, 0};

/* ---- pairs ---------------------------------------------------------------------------------------------------- */

/* Compares one pair alone, and as the one fault in arrays of several blocks; returns whether it is wrong. */
static bool is_wrong(enum element_type type, const void *actual, const void *expected, struct tolerance tolerance,
                     double *worst)
{
    enum { COUNT = 1300 };
    size_t bytes = element_info(type)->bytes;
    struct comparison alone;
    comparator_compare(type, actual, expected, 1, tolerance, &alone);
    assert_int_equal(alone.compared, 1);
    static const size_t places[] = {0, 511, 512, 700, 1023, 1024, 1299};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        unsigned char a[COUNT * 16] = {0}, e[COUNT * 16] = {0};
        memcpy(a + places[i] * bytes, actual, bytes);
        memcpy(e + places[i] * bytes, expected, bytes);
        struct comparison among;
        comparator_compare(type, a, e, COUNT, tolerance, &among);
        assert_int_equal(among.compared, COUNT);
        assert_int_equal(among.wrong, alone.wrong);
        assert_true(among.worst == alone.worst);
        if (alone.wrong)
            assert_int_equal(among.first_wrong, places[i]);
        if (alone.worst > 0)
            assert_int_equal(among.worst_at, places[i]);
    }
    *worst = alone.worst;
    return alone.wrong == 1;
}

static void pairs_of_doubles(void **state)
{
    (void)state;
    const double inf = INFINITY, nan_value = NAN;
    const struct {
        double actual, expected;
        struct tolerance tolerance;
        bool wrong;
        double worst;
    } cases[] = {
        {1, 1, {0, 0}, false, 0},
        {1.5, 1, {0.5, 0}, false, 1},
        {1.5, 1, {0.25, 0}, true, 2},
        {104, 100, {0, 0.04}, false, 1},
        {105, 100, {1, 0.04}, false, 1},
        {-95, -100, {1, 0.04}, false, 1},
        {100, -100, {1, 0.04}, true, 40},
        {1.25, 1, {0, 0}, true, 0.25},
        {0.0, -0.0, {0, 0}, true, 1},
        {0.0, -0.0, {0, 1e-9}, false, 0},
        {0.0, -0.0, {1e-300, 0}, false, 0},
        {1e-9, 0, {0, 0.5}, true, INFINITY},
        {nan_value, nan_value, {0, 0}, false, 0},
        {-nan_value, nan_value, {0, 0.1}, false, 0},
        {nan_value, 1, {1e300, 1}, true, INFINITY},
        {1, nan_value, {1e300, 1}, true, INFINITY},
        {nan_value, inf, {1, 1}, true, INFINITY},
        {inf, nan_value, {1, 1}, true, INFINITY},
        {inf, inf, {0, 0.1}, false, 0},
        {inf, inf, {0, 0}, false, 0},
        {inf, -inf, {1, 1}, true, INFINITY},
        {inf, 1, {INFINITY, 0}, true, INFINITY},
        {1, inf, {INFINITY, 0}, true, INFINITY},
        {inf, DBL_MAX, {0, 10}, true, INFINITY},
        {DBL_MAX, -DBL_MAX, {0, 0.5}, true, INFINITY},
        {1, 2, {nan_value, 0}, true, INFINITY},
        {1, 2, {-1, 0}, true, INFINITY},
        {3e-310, 1e-310, {0, 0.5}, true, 4},
        {4.9406564584124654e-324, 0, {0, 0}, true, 4.9406564584124654e-324},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double worst;
        bool wrong = is_wrong(ELEMENT_F64, &cases[i].actual, &cases[i].expected, cases[i].tolerance, &worst);
        bool worst_right = cases[i].worst == worst || fabs(worst - cases[i].worst) < 1e-9 * cases[i].worst;
        if (wrong != cases[i].wrong || !worst_right)
            fail_msg("case %zu: %g against %g is %s, worst %g", i, cases[i].actual, cases[i].expected,
                     wrong ? "wrong" : "right", worst);
    }
}

static void pairs_of_floats(void **state)
{
    (void)state;
    const struct {
        float actual, expected;
        struct tolerance tolerance;
        bool wrong;
    } cases[] = {
        {1.0f, nextafterf(1, 2), {0, 1e-7}, true},
        {1.0f, nextafterf(1, 2), {0, 1.2e-7}, false},
        {FLT_MAX, -FLT_MAX, {0, 1}, true},
        {INFINITY, FLT_MAX, {0, 1}, true},
        {NAN, 0, {1, 1}, true},
        {3e-45f, 1e-45f, {0, 0.5}, true},
        {3e-45f, 1e-45f, {0, 1.0}, false},
        {-0.0f, 0.0f, {0, 0}, true},
        {-0.0f, 0.0f, {1e-30, 0}, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double worst;
        if (is_wrong(ELEMENT_F32, &cases[i].actual, &cases[i].expected, cases[i].tolerance, &worst) != cases[i].wrong)
            fail_msg("case %zu: %g against %g", i, (double)cases[i].actual, (double)cases[i].expected);
    }
}

/* A half from its definition, as slowly as can be. */
static double half_by_definition(unsigned bits)
{
    int exponent = bits >> 10 & 31;
    double mantissa = (bits & 1023) / 1024.0;
    double size = exponent == 0 ? ldexp(mantissa, -14) : ldexp(1 + mantissa, exponent - 15);
    return bits & 0x8000 ? -size : size;
}

/* The error of every half against another one is the difference of their values. */
static void every_half(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 65536; bits++) {
        uint16_t actual = (uint16_t)bits, expected = (uint16_t)(bits ^ 0x8001);
        bool special = (bits >> 10 & 31) == 31;
        struct comparison result;
        comparator_compare(ELEMENT_F16, &actual, &expected, 1, exact, &result);
        assert_int_equal(result.wrong, 1);
        double difference = fabs(half_by_definition(bits) - half_by_definition(bits ^ 0x8001));
        assert_true(result.worst == (special ? (double)INFINITY : difference));
    }
}

static void pairs_of_halves(void **state)
{
    (void)state;
    static const struct {
        uint16_t actual, expected;
        struct tolerance tolerance;
        bool wrong;
    } cases[] = {
        {0x3c01, 0x3c00, {0, 0x1p-10}, false},                                   /* 1 and the next half */
        {0x3c01, 0x3c00, {0, 0x1p-11}, true},  {0x7c00, 0x7bff, {1e9, 1}, true}, /* infinity, 65504 */
        {0x7c00, 0xfc00, {1e9, 1}, true},      {0x7c00, 0x7c00, {0, 0}, false},   {0x7e00, 0x3c00, {1e9, 1}, true},
        {0x3c00, 0x7e00, {1e9, 1}, true},      {0x7e00, 0xfe01, {0, 0.1}, false}, /* two NaN */
        {0x7e00, 0xfe01, {0, 0}, true},        {0x8000, 0x0000, {0, 0}, true},    {0x8000, 0x0000, {0, 0.1}, false},
        {0x0002, 0x0001, {0x1p-24, 0}, false}, /* subnormal neighbours */
        {0x0002, 0x0001, {0x1p-25, 0}, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double worst;
        if (is_wrong(ELEMENT_F16, &cases[i].actual, &cases[i].expected, cases[i].tolerance, &worst) != cases[i].wrong)
            fail_msg("case %zu", i);
    }
}

/* An element is wrong when either part is, and counts once. */
static void complex_numbers(void **state)
{
    (void)state;
    const struct tolerance loose = {0.1, 0};
    double worst;
    const double right[2] = {1, 2}, real[2] = {1.5, 2}, imaginary[2] = {1, 2.5}, swapped[2] = {2, 1},
                 nan_part[2] = {1, NAN};
    assert_false(is_wrong(ELEMENT_C128, right, right, exact, &worst));
    assert_true(is_wrong(ELEMENT_C128, real, right, loose, &worst));
    assert_true(fabs(worst - 5) < 1e-9);
    assert_true(is_wrong(ELEMENT_C128, imaginary, right, loose, &worst));
    assert_true(is_wrong(ELEMENT_C128, swapped, right, loose, &worst));
    assert_true(is_wrong(ELEMENT_C128, nan_part, right, loose, &worst));
    assert_true(is_wrong(ELEMENT_C128, right, nan_part, loose, &worst));
    assert_false(is_wrong(ELEMENT_C128, nan_part, nan_part, loose, &worst));
    const float small[2] = {1, 2}, other[2] = {1, 2.5f};
    assert_true(is_wrong(ELEMENT_C64, other, small, loose, &worst));
    assert_false(is_wrong(ELEMENT_C64, small, small, loose, &worst));
}

static void integers(void **state)
{
    (void)state;
    const struct tolerance huge = {1e300, 1};
    double worst;
    for (int type = 0; type < ELEMENT_TYPE_COUNT; type++) {
        const char *name = element_info((enum element_type)type)->name;
        if (name[0] != 'u' && name[0] != 'i')
            continue;
        uint64_t five = 5, eight = 8; /* little-endian: the low bytes are the smaller types */
        assert_true(is_wrong((enum element_type)type, &eight, &five, huge, &worst));
        assert_true(worst == 3);
        assert_false(is_wrong((enum element_type)type, &five, &five, exact, &worst));
    }
    int8_t minus_one = -1, one = 1;
    assert_true(is_wrong(ELEMENT_I8, &minus_one, &one, huge, &worst));
    assert_true(worst == 2);
    uint64_t big = UINT64_C(1) << 63, next = big + 1;
    assert_true(is_wrong(ELEMENT_U64, &next, &big, huge, &worst));
    assert_true(worst > 0);
}

/* ---- arrays --------------------------------------------------------------------------------------------------- */

static void counts_and_places(void **state)
{
    (void)state;
    float expected[2000], actual[2000];
    for (size_t i = 0; i < 2000; i++)
        actual[i] = expected[i] = (float)i;
    actual[7] += 1;
    actual[1500] += 3;
    actual[1999] += 2;
    struct comparison result;
    comparator_compare(ELEMENT_F32, actual, expected, 2000, (struct tolerance){0.5, 0}, &result);
    assert_int_equal(result.wrong, 3);
    assert_int_equal(result.first_wrong, 7);
    assert_int_equal(result.worst_at, 1500);
    assert_true(result.worst == 6);
    comparator_compare(ELEMENT_F32, actual, expected, 1999, (struct tolerance){2, 0}, &result);
    assert_int_equal(result.wrong, 1);
    assert_int_equal(result.first_wrong, 1500);
    comparator_compare(ELEMENT_F32, actual, expected, 0, exact, &result);
    assert_int_equal(result.compared, 0);
    assert_int_equal(result.wrong, 0);
    assert_true(result.worst == 0);
}

/* The block-wise fast path agrees with element by element: the worst error is the same. */
static void blocks_change_nothing(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static float expected[COUNT], actual[COUNT];
    struct random random;
    random_seed(&random, 11);
    for (int round = 0; round < 20; round++) {
        const struct tolerance tolerance = {1e-3, 1e-2};
        struct comparison whole, sum = {0};
        for (size_t i = 0; i < COUNT; i++) {
            expected[i] = random_float(&random) - 0.5f;
            actual[i] = expected[i] * (1 + 0.0101f * random_float(&random)) + 0.00101f * random_float(&random);
        }
        comparator_compare(ELEMENT_F32, actual, expected, COUNT, tolerance, &whole);
        for (size_t i = 0; i < COUNT; i++) {
            struct comparison one;
            comparator_compare(ELEMENT_F32, actual + i, expected + i, 1, tolerance, &one);
            if (one.wrong && sum.wrong++ == 0)
                sum.first_wrong = i;
            if (one.worst > sum.worst) {
                sum.worst = one.worst;
                sum.worst_at = i;
            }
        }
        assert_int_equal(whole.wrong, sum.wrong);
        assert_int_equal(whole.first_wrong, sum.first_wrong);
        assert_true(whole.worst == sum.worst);
        assert_int_equal(whole.worst_at, sum.worst_at);
    }
}

static void bits(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 4, 8, 16, 3};
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        unsigned char expected[16 * 1100], actual[sizeof expected];
        for (size_t i = 0; i < sizeof expected; i++)
            actual[i] = expected[i] = (unsigned char)(i * 7);
        struct comparison result;
        comparator_compare_bits(actual, expected, 1100, sizes[s], &result);
        assert_int_equal(result.compared, 1100);
        assert_int_equal(result.wrong, 0);
        assert_true(result.worst == 0);
        actual[600 * sizes[s]] ^= 0x80;
        actual[1100 * sizes[s] - 1] ^= 1;
        comparator_compare_bits(actual, expected, 1100, sizes[s], &result);
        assert_int_equal(result.wrong, 2);
        assert_int_equal(result.first_wrong, 600);
        assert_int_equal(result.worst_at, 600);
        assert_true(result.worst == 1);
    }
}

/* Somebody's library has switched the processor to flush subnormal numbers, or to round upwards. */
static void hostile_processor_state(void **state)
{
    (void)state;
    const double tiny = 1e-310, other = 3e-310;
    double worst;
#ifdef __SSE2__
    const float small = 1e-40f, more = 3e-40f;
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    unsigned hostile = _mm_getcsr();
    bool doubles = is_wrong(ELEMENT_F64, &other, &tiny, (struct tolerance){0, 0.5}, &worst);
    bool floats = is_wrong(ELEMENT_F32, &more, &small, (struct tolerance){0, 0.5}, &worst);
    unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    assert_true(doubles && floats);
    assert_int_equal(after & 0x8040, hostile & 0x8040);
#endif
    fesetround(FE_UPWARD);
    bool upwards = is_wrong(ELEMENT_F64, &other, &tiny, (struct tolerance){0, 2.5}, &worst);
    int rounding = fegetround();
    fesetround(FE_TONEAREST);
    assert_false(upwards);
    assert_int_equal(rounding, FE_UPWARD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_doubles),
        cmocka_unit_test(pairs_of_floats),
        cmocka_unit_test(every_half),
        cmocka_unit_test(pairs_of_halves),
        cmocka_unit_test(complex_numbers),
        cmocka_unit_test(integers),
        cmocka_unit_test(counts_and_places),
        cmocka_unit_test(blocks_change_nothing),
        cmocka_unit_test(bits),
        cmocka_unit_test(hostile_processor_state),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
