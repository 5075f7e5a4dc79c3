/* The measure of accuracy: exact answers of small products worked out here in another way, and errors of known size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "kernels/accuracy.h"
#include "kernels/matmul/matmul.h"
#include "parsed.h"
#include "store/accuracy.h"

#include "between.h"

#define M 5
#define N 67
#define K 3

/* Small integers: every sum is exact, in whatever order. */
struct sample {
    float a[M * K], b[K * N], c[M * N];
    double sum[M * N], magnitude[M * N];
    struct host_arrays input, output;
};

static void make(struct sample *sample)
{
    for (int i = 0; i < M * K; i++)
        sample->a[i] = (float)(i % 7 - 3);
    for (int i = 0; i < K * N; i++)
        sample->b[i] = (float)(i % 5 - 1);
    for (int row = 0; row < M; row++)
        for (int col = 0; col < N; col++) {
            double sum = 0, magnitude = 0;
            for (int k = 0; k < K; k++) {
                const double term = (double)sample->a[row * K + k] * sample->b[k * N + col];
                sum += term;
                magnitude += fabs(term);
            }
            sample->sum[row * N + col] = sum;
            sample->magnitude[row * N + col] = magnitude;
            sample->c[row * N + col] = (float)sum;
        }
    sample->input = (struct host_arrays){{sample->a, sample->b, NULL}};
    sample->output = (struct host_arrays){{NULL, NULL, sample->c}};
}

static struct accuracy_errors errors_of(const char *text, struct sample *sample)
{
    struct problem problem = parsed(text);
    struct exact_answers *answers;
    struct accuracy_errors errors;
    struct error error;
    const struct accuracy_view *view = problem.kernel->accuracy;
    assert_non_null(view);
    assert_int_equal(view->exact(&problem, sample->input, &answers, &error), STATUS_OK);
    view->compare(answers, sample->output, &errors);
    view->free(answers);
    return errors;
}

#define PROBLEM "matmul:m=5,n=67,k=3"

static void an_exact_answer_has_no_error(void **state)
{
    (void)state;
    struct sample sample = {0};
    make(&sample);
    struct accuracy_errors errors = errors_of(PROBLEM, &sample);
    assert_true(errors.relative == 0 && errors.componentwise == 0 && errors.largest == 0);
    assert_int_equal(errors.rows, M);
    assert_int_equal(errors.all_rows, M);
}

static void one_wrong_element_is_measured(void **state)
{
    (void)state;
    struct sample sample = {0};
    double squares = 0;
    make(&sample);
    const int at = 3 * N + 65;
    assert_true(sample.magnitude[at] > 0);
    sample.c[at] += 0.25f;
    for (int i = 0; i < M * N; i++)
        squares += sample.sum[i] * sample.sum[i];
    struct accuracy_errors errors = errors_of(PROBLEM, &sample);
    assert_true(fabs(errors.relative - 0.25 / sqrt(squares)) < 1e-12);
    assert_true(fabs(errors.componentwise - 0.25 / sample.magnitude[at]) < 1e-12);
    assert_true(errors.largest == 0.25);
}

static void what_is_not_finite_is_an_infinite_error(void **state)
{
    (void)state;
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        struct sample sample = {0};
        make(&sample);
        sample.c[N] = wrong[i];
        struct accuracy_errors errors = errors_of(PROBLEM, &sample);
        assert_true(isinf(errors.relative) && isinf(errors.largest) && isinf(errors.componentwise));
    }
}

/* op(A) and op(B) of stored transposes, factors and padding: the same numbers as without. */
static void transposes_factors_and_padding_count(void **state)
{
    (void)state;
    struct sample sample = {0};
    float a[K * (M + 2)], b[N * (K + 1)], before[M * (N + 3)], c[M * (N + 3)];
    make(&sample);
    for (int i = 0; i < M * K; i++)
        a[i % K * (M + 2) + i / K] = sample.a[i];
    for (int i = 0; i < K * N; i++)
        b[i % N * (K + 1) + i / N] = sample.b[i];
    for (int i = 0; i < M * (N + 3); i++) {
        const int row = i / (N + 3), col = i % (N + 3);
        before[i] = (float)(i % 9);
        c[i] = col < N ? (float)(2 * sample.sum[row * N + col] - 3 * before[i]) : NAN;
    }
    sample.input = (struct host_arrays){{a, b, before}};
    sample.output = (struct host_arrays){{NULL, NULL, c}};
    struct accuracy_errors errors =
        errors_of("matmul:m=5,n=67,k=3,alpha=2,beta=-3,transa=t,transb=t,lda_pad=2,ldb_pad=1,ldc_pad=3", &sample);
    assert_true(errors.relative == 0 && errors.largest == 0);
}

/* Errors below a float's own, which only a sum in more than float can see. */
static void a_rounded_answer_errs_by_half_a_unit_at_most(void **state)
{
    (void)state;
    float a[K] = {1, 0x1p-24f, 0x1p-25f}, b[K] = {1, 1, 1}, c[1] = {1};
    struct sample sample = {.input = {{a, b, NULL}}, .output = {{NULL, NULL, c}}};
    struct accuracy_errors errors = errors_of("matmul:m=1,n=1,k=3", &sample);
    assert_true(errors.largest == 0x1p-24 + 0x1p-25);
}

/* 1 + 2^-8 lies between two bf16, and is one of the floats: the result's own rounding is part of its error. */
static void halves_err_by_what_was_stored(void **state)
{
    (void)state;
    const uint16_t one = bf16_from_double(1), little = bf16_from_double(0x1p-8);
    uint16_t a[2] = {one, little}, b[2] = {one, one}, c[1] = {one};
    float wide[1] = {1 + 0x1p-8f};
    struct sample sample = {.input = {{a, b, NULL}}, .output = {{NULL, NULL, c}}};
    struct accuracy_errors errors = errors_of("matmul:m=1,n=1,k=2,bf16", &sample);
    assert_true(errors.largest == 0x1p-8);
    sample.output = (struct host_arrays){{NULL, NULL, wide}};
    errors = errors_of("matmul:m=1,n=1,k=2,result=f32,bf16", &sample);
    assert_true(errors.largest == 0);
}

static void long_products_are_sampled(void **state)
{
    (void)state;
    enum { ROWS = 1000 };
    float *a = calloc(ROWS, sizeof *a), *c = calloc(ROWS, sizeof *c), b[1] = {1};
    assert_non_null(a);
    assert_non_null(c);
    for (int i = 0; i < ROWS; i++)
        a[i] = c[i] = (float)i;
    c[ROWS - 1] += 1; /* the last row is always among them */
    struct sample sample = {.input = {{a, b, NULL}}, .output = {{NULL, NULL, c}}};
    struct accuracy_errors errors = errors_of("matmul:m=1000,n=1,k=1", &sample);
    assert_int_equal(errors.rows, 64);
    assert_int_equal(errors.all_rows, ROWS);
    assert_true(errors.largest == 1);
    free(a);
    free(c);
}

static void doubles_are_refused(void **state)
{
    (void)state;
    struct problem problem = parsed("matmul:m=1,n=1,k=1,f64");
    struct exact_answers *answers;
    struct error error;
    double number[1] = {1};
    struct host_arrays input = {{number, number, NULL}};
    assert_int_equal(problem.kernel->accuracy->exact(&problem, input, &answers, &error), STATUS_INVALID);
}

static void errors_survive_the_store(void **state)
{
    (void)state;
    char text[ACCURACY_JSON_BYTES];
    struct accuracy accuracy = {
        .relative = 2.5e-7, .componentwise = INFINITY, .largest = 0, .rows = 64, .all_rows = 99};
    struct accuracy again;
    assert_true(accuracy_read(accuracy_json(&accuracy, text), &again));
    assert_true(again.relative == 2.5e-7 && isinf(again.componentwise) && again.largest == 0);
    assert_int_equal(again.rows, 64);
    assert_int_equal(again.all_rows, 99);
    static const char *const bad[] = {"", "{}", "[]", "{\"relative\": -1}", "{\"relative\": \"x\"}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(accuracy_read(bad[i], &again));
}

/* The kinds of inputs that this view added: of the distribution that they are named for. */
static void inputs_are_as_named(void **state)
{
    (void)state;
    enum { SIDE = 200 };
    static const struct {
        const char *text;
        int low, high; /* binary exponents of magnitudes */
    } wide[] = {{"matmul:m=200,n=1,k=200,input=wide17", -8, 8}, {"matmul:m=200,n=1,k=200,input=wide61", -30, 30}};
    float *a = calloc(SIDE * SIDE, sizeof *a), *b = calloc(SIDE, sizeof *b), c[SIDE] = {0};
    assert_non_null(a);
    assert_non_null(b);
    struct host_arrays host = {{a, b, c}};
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct error error;
    int count;
    for (size_t w = 0; w < 2; w++) {
        int low = 999, high = -999;
        struct problem problem = parsed(wide[w].text);
        assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
        problem.kernel->fill(&problem, arrays, host);
        for (int i = 0; i < SIDE * SIDE; i++) {
            low = ilogbf(a[i]) < low ? ilogbf(a[i]) : low;
            high = ilogbf(a[i]) > high ? ilogbf(a[i]) : high;
        }
        assert_int_equal(low, wide[w].low);
        assert_between(high, wide[w].high, wide[w].high + 1); /* a float may be rounded up to the next power */
    }
    struct problem problem = parsed("matmul:m=200,n=1,k=200,input=normal");
    double sum = 0, squares = 0;
    int beyond = 0;
    assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
    problem.kernel->fill(&problem, arrays, host);
    for (int i = 0; i < SIDE * SIDE; i++) {
        sum += a[i];
        squares += (double)a[i] * a[i];
        beyond += fabsf(a[i]) > 1.959964f;
    }
    const double samples = SIDE * SIDE; /* five standard deviations */
    assert_true(fabs(sum / samples) < 5 / sqrt(samples));
    assert_true(fabs(squares / samples - 1) < 5 * sqrt(2 / samples));
    assert_true(fabs(beyond / samples - 0.05) < 5 * sqrt(0.05 * 0.95 / samples));
    free(a);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_answer_has_no_error),
        cmocka_unit_test(one_wrong_element_is_measured),
        cmocka_unit_test(what_is_not_finite_is_an_infinite_error),
        cmocka_unit_test(transposes_factors_and_padding_count),
        cmocka_unit_test(a_rounded_answer_errs_by_half_a_unit_at_most),
        cmocka_unit_test(halves_err_by_what_was_stored),
        cmocka_unit_test(long_products_are_sampled),
        cmocka_unit_test(doubles_are_refused),
        cmocka_unit_test(errors_survive_the_store),
        cmocka_unit_test(inputs_are_as_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
