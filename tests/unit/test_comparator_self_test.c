/* The comparator's self-test against comparators that are broken on purpose. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/comparator.h"
#include "base/size.h"

#include <cmocka.h>

static const struct tolerance exact = {0, 0};

static void self_test_passes(void **state)
{
    (void)state;
    struct error error = {"untouched"};
    assert_int_equal(comparator_self_test(&error), STATUS_OK);
    assert_string_equal(error.text, "untouched");
}

/* Each of these is a comparator somebody once wrote: the true one on changed input, or with a changed result. */

static void never_wrong(enum element_type type, const void *actual, const void *expected, size_t count,
                        struct tolerance tolerance, struct comparison *result)
{
    (void)type, (void)actual, (void)expected, (void)tolerance;
    *result = (struct comparison){.compared = count};
}

static void always_wrong(enum element_type type, const void *actual, const void *expected, size_t count,
                         struct tolerance tolerance, struct comparison *result)
{
    (void)type, (void)actual, (void)expected, (void)tolerance;
    *result = (struct comparison){.compared = count, .wrong = count, .worst = 1};
}

static void forgets_the_last(enum element_type type, const void *actual, const void *expected, size_t count,
                             struct tolerance tolerance, struct comparison *result)
{
    comparator_compare(type, actual, expected, count - 1, tolerance, result);
    result->compared = count;
}

static void first_block_only(enum element_type type, const void *actual, const void *expected, size_t count,
                             struct tolerance tolerance, struct comparison *result)
{
    comparator_compare(type, actual, expected, count < 512 ? count : 512, tolerance, result);
    result->compared = count;
}

static void ignores_small_tolerance(enum element_type type, const void *actual, const void *expected, size_t count,
                                    struct tolerance tolerance, struct comparison *result)
{
    (void)tolerance;
    comparator_compare(type, actual, expected, count, exact, result);
}

static void ignores_exactness(enum element_type type, const void *actual, const void *expected, size_t count,
                              struct tolerance tolerance, struct comparison *result)
{
    tolerance.absolute += 1e-30;
    comparator_compare(type, actual, expected, count, tolerance, result);
}

static void tolerates_integers(enum element_type type, const void *actual, const void *expected, size_t count,
                               struct tolerance tolerance, struct comparison *result)
{
    if (type == ELEMENT_U32)
        never_wrong(type, actual, expected, count, tolerance, result);
    else
        comparator_compare(type, actual, expected, count, tolerance, result);
}

static void misplaces(enum element_type type, const void *actual, const void *expected, size_t count,
                      struct tolerance tolerance, struct comparison *result)
{
    comparator_compare(type, actual, expected, count, tolerance, result);
    result->first_wrong++;
}

static void real_parts_only(enum element_type type, const void *actual, const void *expected, size_t count,
                            struct tolerance tolerance, struct comparison *result)
{
    bool complex = type == ELEMENT_C64 || type == ELEMENT_C128;
    size_t part = element_info(type)->bytes / 2;
    unsigned char copy[16 * 4096];
    memcpy(copy, actual, count * element_info(type)->bytes);
    for (size_t i = 0; complex && i < count; i++)
        memcpy(copy + (2 * i + 1) * part, (const unsigned char *)expected + (2 * i + 1) * part, part);
    comparator_compare(type, copy, expected, count, tolerance, result);
}

/* The famous one: `if (difference > allowed) wrong`, which is false for NaN. */
static void naive(enum element_type type, const void *actual, const void *expected, size_t count,
                  struct tolerance tolerance, struct comparison *result)
{
    if (type != ELEMENT_F32 || tolerance.absolute == 0) {
        comparator_compare(type, actual, expected, count, tolerance, result);
        return;
    }
    *result = (struct comparison){.compared = count};
    const float *a = actual, *e = expected;
    for (size_t i = 0; i < count; i++) {
        double difference = fabs((double)a[i] - (double)e[i]);
        if (difference > tolerance.absolute + tolerance.relative * fabs((double)e[i]) && result->wrong++ == 0)
            result->first_wrong = i;
        result->worst = fmax(result->worst, difference);
    }
}

/* The same the other way round, which takes infinity for infinity of the other sign when the bound is infinite. */
static void trusts_infinity(enum element_type type, const void *actual, const void *expected, size_t count,
                            struct tolerance tolerance, struct comparison *result)
{
    if (type != ELEMENT_F64 || tolerance.absolute == 0) {
        comparator_compare(type, actual, expected, count, tolerance, result);
        return;
    }
    *result = (struct comparison){.compared = count};
    const double *a = actual, *e = expected;
    for (size_t i = 0; i < count; i++) {
        bool right = fabs(a[i] - e[i]) <= tolerance.absolute + tolerance.relative * fabs(e[i]);
        right = right || memcmp(a + i, e + i, sizeof *a) == 0 || (isinf(e[i]) && !isnan(a[i])) ||
                (isnan(a[i]) && isnan(e[i]));
        if (!right && result->wrong++ == 0)
            result->first_wrong = i;
        result->worst = INFINITY;
    }
}

static void absolute_values(enum element_type type, const void *actual, const void *expected, size_t count,
                            struct tolerance tolerance, struct comparison *result)
{
    unsigned char copy[16 * 4096];
    size_t bytes = element_info(type)->bytes;
    memcpy(copy, actual, count * bytes);
    for (size_t i = bytes - 1; type != ELEMENT_U32 && i < count * bytes; i += bytes)
        copy[i] = (unsigned char)((copy[i] & 0x7f) | (((const unsigned char *)expected)[i] & 0x80));
    comparator_compare(type, copy, expected, count, tolerance, result);
}

static void self_test_finds(void **state)
{
    (void)state;
    static const struct {
        comparator_function compare;
        const char *says;
    } mutants[] = {
        {never_wrong, "integer"},
        {always_wrong, "integer"},
        {forgets_the_last, "a wrong last element"},
        {first_block_only, "a wrong last element"},
        {ignores_small_tolerance, "differences inside the tolerance"},
        {ignores_exactness, "-0 for 0"},
        {tolerates_integers, "integer"},
        {misplaces, "integer"},
        {real_parts_only, "NaN in the last component"},
        {naive, "NaN for a number"},
        {trusts_infinity, "-infinity for infinity"},
        {absolute_values, "-0 for 0"},
    };
    for (size_t i = 0; i < COUNT_OF(mutants); i++) {
        struct error error = {{0}};
        if (comparator_self_test_of(mutants[i].compare, &error) != STATUS_FAILED ||
            !strstr(error.text, mutants[i].says))
            fail_msg("mutant %zu: \"%s\"", i, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_test_passes),
        cmocka_unit_test(self_test_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
