/* The check of the pipeline: both vectors must be sorted, keep what they held, and their product must be right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "verdicts.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/pipeline/pipeline.h"

enum { COUNT = 1000 };

/* A run's inputs, and a right answer to spoil. */
struct trial {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    float input[2][COUNT], sorted[2][COUNT];
    double product;
};

static int compare(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

static void set_up(struct trial *trial)
{
    struct error error;
    int count;
    assert_int_equal(problem_parse("pipeline:n=1000", &trial->problem, &error), STATUS_OK);
    assert_int_equal(kernel_describe(&trial->problem, trial->arrays, &count, &error), STATUS_OK);
    trial->problem.kernel->fill(&trial->problem, trial->arrays,
                                (struct host_arrays){{trial->input[0], trial->input[1]}});
    memcpy(trial->sorted, trial->input, sizeof trial->input);
    for (int v = 0; v < 2; v++)
        qsort(trial->sorted[v], COUNT, sizeof(float), compare);
    trial->product = 0;
    for (int i = 0; i < COUNT; i++)
        trial->product += (double)trial->sorted[0][i] * (double)trial->sorted[1][i];
}

static struct check_result judge(struct trial *trial)
{
    struct check_result result = {.bound = 0x1p-40};
    trial->problem.kernel->check(&trial->problem, trial->arrays,
                                 (struct host_arrays){{trial->input[0], trial->input[1]}},
                                 (struct host_arrays){{trial->sorted[0], trial->sorted[1], &trial->product}}, &result);
    return result;
}

static void test_the_right_answer_passes(void **state)
{
    struct trial trial;
    (void)state;
    set_up(&trial);
    expect_right(judge(&trial));
}

static void test_both_vectors_must_be_sorted(void **state)
{
    (void)state;
    for (int v = 0; v < 2; v++) {
        struct trial trial;
        set_up(&trial);
        float *keys = trial.sorted[v], last = keys[COUNT - 1];
        keys[COUNT - 1] = keys[COUNT - 2];
        keys[COUNT - 2] = last;
        struct check_result result = judge(&trial);
        expect_wrong(result);
        assert_string_equal(result.where, "[998]");
        memcpy(keys, trial.input[v], sizeof trial.input[v]);
        expect_wrong(judge(&trial));
    }
}

/* In order, but a key stands twice and another is gone. */
static void test_keys_must_stay(void **state)
{
    (void)state;
    for (int v = 0; v < 2; v++) {
        struct trial trial;
        set_up(&trial);
        trial.sorted[v][500] = trial.sorted[v][499];
        expect_wrong(judge(&trial));
    }
}

static void test_the_product_is_held_to_the_bound(void **state)
{
    struct trial trial;
    (void)state;
    set_up(&trial);
    double right = trial.product;
    trial.product = right * (1 + 0x1p-41);
    expect_right(judge(&trial));
    trial.product = right * (1 + 0x1p-39);
    expect_wrong(judge(&trial));
    assert_non_null(strstr(judge(&trial).reason, "expected "));
    memset(&trial.product, 0xFF, sizeof trial.product);
    expect_wrong(judge(&trial));
}

/* ---- wrong orders: the bits of a key as an integer of the order, and faults in it ---------------------------------
 */

static uint32_t bits_of(float key)
{
    uint32_t bits;
    memcpy(&bits, &key, sizeof bits);
    return bits;
}

static uint32_t right_rank(float key)
{
    return bits_of(key) >> 31 ? ~bits_of(key) : bits_of(key) | 0x80000000u;
}

/* Other numbers below 0 are in order. */
static uint32_t fractions_below_0_descend(float key)
{
    return key < 0 && key > -1 ? 0x80000000u - (right_rank(key) & 0x7fffffffu) : right_rank(key);
}

static uint32_t zeros_are_alike(float key)
{
    return right_rank(key == 0 ? 0.0f : key);
}

static uint32_t subnormals_are_zeros(float key)
{
    return right_rank(key < 0x1p-126f && key > -0x1p-126f ? 0.0f : key);
}

static uint32_t large_ones_are_alike(float key)
{
    return right_rank(key > 0x1p30f ? 0x1p30f : key);
}

#define MOST_KEYS 5000 /* of the problems that are tried */

static uint32_t (*rank)(float key);

/* Keys of one rank in the wrong order. */
static int compare_wrongly(const void *left, const void *right)
{
    const float a = *(const float *)left, b = *(const float *)right;
    const uint32_t x = rank(a), y = rank(b);
    if (x == y)
        return (right_rank(a) < right_rank(b)) - (right_rank(a) > right_rank(b));
    return x > y ? 1 : -1;
}

static bool passes(const char *text)
{
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct error error;
    int count;
    double product = 0;
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_OK);
    assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
    const size_t n = arrays[0].cols;
    if (n > MOST_KEYS)
        return true;
    float *keys = malloc((4 * n + 1) * sizeof *keys), *a = keys + 2 * n, *b = keys + 3 * n;
    assert_non_null(keys);
    problem.kernel->fill(&problem, arrays, (struct host_arrays){{keys, keys + n}});
    memcpy(a, keys, 2 * n * sizeof *keys);
    qsort(a, n, sizeof *a, compare_wrongly);
    qsort(b, n, sizeof *b, compare_wrongly);
    for (size_t i = 0; i < n; i++)
        product += (double)a[i] * (double)b[i];
    struct check_result result = {.bound = 0x1p-20};
    problem.kernel->check(&problem, arrays, (struct host_arrays){{keys, keys + n}},
                          (struct host_arrays){{a, b, &product}}, &result);
    free(keys);
    return result.passed;
}

static void test_wrong_orders_fail_some_edge_case(void **state)
{
    (void)state;
    static uint32_t (*const wrong[])(float) = {right_rank, fractions_below_0_descend, zeros_are_alike,
                                               subnormals_are_zeros, large_ones_are_alike};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        size_t refused = 0;
        rank = wrong[i];
        for (const char *const *text = kernel_by_name("pipeline", NULL)->edge_cases; *text; text++)
            refused += !passes(*text);
        if ((refused > 0) != (i > 0))
            print_error("order %zu: %zu problems refuse it\n", i, refused);
        assert_int_equal(refused > 0, i > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_right_answer_passes),
        cmocka_unit_test(test_both_vectors_must_be_sorted),
        cmocka_unit_test(test_keys_must_stay),
        cmocka_unit_test(test_the_product_is_held_to_the_bound),
        cmocka_unit_test(test_wrong_orders_fail_some_edge_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
