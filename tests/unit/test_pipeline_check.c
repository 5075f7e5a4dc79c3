/* The check of the pipeline: both vectors must be sorted, keep what they held, and their product must be right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

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
    assert_true(judge(&trial).passed);
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
        assert_false(result.passed);
        assert_string_equal(result.where, "[998]");
        memcpy(keys, trial.input[v], sizeof trial.input[v]);
        assert_false(judge(&trial).passed);
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
        assert_false(judge(&trial).passed);
    }
}

static void test_the_product_is_held_to_the_bound(void **state)
{
    struct trial trial;
    (void)state;
    set_up(&trial);
    double right = trial.product;
    trial.product = right * (1 + 0x1p-41);
    assert_true(judge(&trial).passed);
    trial.product = right * (1 + 0x1p-39);
    assert_false(judge(&trial).passed);
    assert_non_null(strstr(judge(&trial).reason, "expected "));
    memset(&trial.product, 0xFF, sizeof trial.product);
    assert_false(judge(&trial).passed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_right_answer_passes),
        cmocka_unit_test(test_both_vectors_must_be_sorted),
        cmocka_unit_test(test_keys_must_stay),
        cmocka_unit_test(test_the_product_is_held_to_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
