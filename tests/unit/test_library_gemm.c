/* uskor_gemm and uskor_gemm_batched, as their users call them: only uskor.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uskor.h"

#include <cmocka.h>

static uint64_t drawn;

/* Small integers: every sum is exact. */
static double draw(void)
{
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (double)((int64_t)(drawn >> 33) % 9 - 4);
}

struct call {
    size_t m, n, k, pad, batch;
    int ta, tb;
    double alpha, beta;
};

static double *matrix(size_t count)
{
    double *made = malloc((count + 1) * sizeof *made);
    assert_non_null(made);
    for (size_t i = 0; i <= count; i++)
        made[i] = draw();
    return made;
}

static double element(const double *x, size_t ld, int transposed, size_t row, size_t col)
{
    return transposed ? x[col * ld + row] : x[row * ld + col];
}

static void multiply(const struct call *c, const double *a, size_t lda, const double *b, size_t ldb, double *to,
                     size_t ldc)
{
    for (size_t i = 0; i < c->m; i++)
        for (size_t j = 0; j < c->n; j++) {
            double sum = 0, *at = &to[i * ldc + j];
            for (size_t l = 0; c->alpha != 0 && l < c->k; l++)
                sum += element(a, lda, c->ta, i, l) * element(b, ldb, c->tb, l, j);
            *at = c->alpha * sum + (c->beta != 0 ? c->beta * *at : 0);
        }
}

static float *floats(const double *from, size_t count)
{
    float *made = malloc((count + 1) * sizeof *made);
    assert_non_null(made);
    for (size_t i = 0; i <= count; i++)
        made[i] = (float)from[i];
    return made;
}

static void expect_right(struct uskor *uskor, const struct call *c)
{
    const size_t rows_a = c->ta ? c->k : c->m, rows_b = c->tb ? c->n : c->k;
    const size_t lda = (c->ta ? c->m : c->k) + c->pad, ldb = (c->tb ? c->k : c->n) + c->pad, ldc = c->n + c->pad;
    const size_t in_a = rows_a * lda, in_b = rows_b * ldb, in_c = c->m * ldc, all = in_c * c->batch;
    double *a = matrix(in_a ? in_a * c->batch - c->pad : 0), *b = matrix(in_b * c->batch), *expected = matrix(all);
    float *fa = floats(a, in_a ? in_a * c->batch - c->pad : 0), *fb = floats(b, in_b * c->batch),
          *fc = floats(expected, all);
    double *actual = malloc((all + 1) * sizeof *actual);
    assert_non_null(actual);
    memcpy(actual, expected, (all + 1) * sizeof *actual);
    for (size_t i = 0; i < c->batch; i++)
        multiply(c, a + i * in_a, lda, b + i * in_b, ldb, expected + i * in_c, ldc);
    assert_int_equal(uskor_gemm_batched(uskor, USKOR_FLOAT64, USKOR_FLOAT64, c->ta, c->tb, c->m, c->n, c->k, c->alpha,
                                        a, lda, b, ldb, c->beta, actual, ldc, c->batch),
                     USKOR_OK);
    assert_memory_equal(actual, expected, (all + 1) * sizeof *actual); /* and what lies between rows is untouched */
    if (c->batch == 1)
        assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT32, c->ta, c->tb, c->m, c->n, c->k, c->alpha, fa, lda, fb, ldb,
                                    c->beta, fc, ldc),
                         USKOR_OK);
    for (size_t i = 0; c->batch == 1 && i <= all; i++)
        assert_true((double)fc[i] == expected[i]);
    free(a), free(b), free(expected), free(actual), free(fa), free(fb), free(fc);
}

static void products_are_right(void **state)
{
    (void)state;
    static const size_t sides[][3] = {{1, 1, 1},    {3, 5, 0},  {5, 4, 7},    {33, 17, 40},
                                      {64, 1, 100}, {1, 70, 9}, {130, 90, 70}};
    static const double factors[][2] = {{1, 0}, {2, -1}, {0, 0.5}, {-1, 1}};
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++)
        for (int form = 0; form < 4; form++)
            for (size_t f = 0; f < 4; f++) {
                const struct call call = {sides[s][0], sides[s][1], sides[s][2],   s % 3,        1 + (f == 1) * 3,
                                          form & 1,    form >> 1,   factors[f][0], factors[f][1]};
                expect_right(uskor, &call);
            }
    uskor_close(uskor);
}

/* A device that is there; rows with gaps end where the last one does. */
static void devices_multiply_too(void **state)
{
    (void)state;
    struct uskor *uskor;
    if (uskor_open(&uskor, "opencl:0") != USKOR_OK)
        skip();
    for (int form = 0; form < 4; form++) {
        const struct call call = {33, 17, 40, 3, 1, form & 1, form >> 1, 2, form ? 0.5 : 0};
        expect_right(uskor, &call);
    }
    double c[2] = {4, 6};
    assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT64, 0, 0, 1, 2, 5, 0, NULL, 5, NULL, 2, 0.5, c, 2), USKOR_OK);
    assert_true(c[0] == 2 && c[1] == 3);
    uskor_close(uskor);
}

/* What BLAS says is not read is not read, and nothing is computed of nothing. */
static void nothing_is_read_in_vain(void **state)
{
    (void)state;
    struct uskor *uskor;
    double a[4] = {NAN, NAN, NAN, NAN}, c[4] = {NAN, NAN, NAN, NAN}, one[4] = {1, 1, 1, 1};
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT64, 0, 0, 2, 2, 2, 1, one, 2, one, 2, 0, c, 2), USKOR_OK);
    assert_true(c[0] == 2 && c[1] == 2 && c[2] == 2 && c[3] == 2);
    assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT64, 0, 0, 2, 2, 2, 0, a, 2, a, 2, 0.5, c, 2), USKOR_OK);
    assert_true(c[0] == 1 && c[3] == 1);
    assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT64, 0, 0, 2, 2, 2, 0, NULL, 2, NULL, 2, 3, c, 2), USKOR_OK);
    assert_true(c[0] == 3 && c[3] == 3);
    assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT64, 0, 0, 2, 2, 0, 1, NULL, 0, NULL, 2, 2, c, 2), USKOR_OK);
    assert_true(c[0] == 6 && c[3] == 6);
    assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT64, 0, 0, 0, 2, 2, 1, NULL, 2, NULL, 2, 2, NULL, 2), USKOR_OK);
    uskor_close(uskor);
}

/* Halves: 1.5 in both formats; the product's sums are floats. */
static void halves_are_multiplied(void **state)
{
    (void)state;
    static const uint16_t f16[4] = {0x3e00, 0x3e00, 0x3e00, 0x3e00}, bf16[4] = {0x3fc0, 0x3fc0, 0x3fc0, 0x3fc0};
    struct uskor *uskor;
    uint16_t c[4];
    float wide[4];
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT16, 0, 1, 2, 2, 2, 1, f16, 2, f16, 2, 0, c, 2), USKOR_OK);
    assert_int_equal(c[0], 0x4480); /* 4.5 */
    assert_int_equal(
        uskor_gemm_batched(uskor, USKOR_BFLOAT16, USKOR_FLOAT32, 0, 0, 2, 2, 2, 1, bf16, 2, bf16, 2, 0, wide, 2, 1),
        USKOR_OK);
    assert_true(wide[0] == 4.5f && wide[3] == 4.5f);
    uskor_close(uskor);
}

/* The order of an element's additions does not depend on who does them. */
static void the_number_of_threads_changes_no_bit(void **state)
{
    (void)state;
    enum { M = 301, N = 203, K = 777 };
    struct uskor *uskor;
    float *a = malloc(M * K * sizeof *a), *b = malloc(K * N * sizeof *b), *first = malloc(M * N * sizeof *first),
          *c = malloc(M * N * sizeof *c);
    assert_true(a && b && c && first);
    for (size_t i = 0; i < M * K; i++)
        a[i] = (float)sin((double)i);
    for (size_t i = 0; i < K * N; i++)
        b[i] = (float)cos((double)i * 3);
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (unsigned threads = 1; threads <= 6; threads++) {
        uskor_set_threads(threads);
        assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT32, 0, 0, M, N, K, 1, a, K, b, N, 0, threads == 1 ? first : c, N),
                         USKOR_OK);
        if (threads > 1)
            assert_memory_equal(c, first, M * N * sizeof *c);
    }
    uskor_set_threads(0);
    uskor_close(uskor);
    free(a), free(b), free(c), free(first);
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
    double x[16] = {0}, y[16] = {0}, z[16];
    const enum uskor_number f64 = USKOR_FLOAT64;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    refused(uskor, uskor_gemm(uskor, USKOR_INT32, 0, 0, 2, 2, 2, 1, x, 2, y, 2, 0, z, 2), "no such type");
    refused(uskor, uskor_gemm(uskor, (enum uskor_number) - 3, 0, 0, 2, 2, 2, 1, x, 2, y, 2, 0, z, 2), "no such type");
    refused(uskor, uskor_gemm_batched(uskor, f64, USKOR_FLOAT32, 0, 0, 2, 2, 2, 1, x, 2, y, 2, 0, z, 2, 1), "C has");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, SIZE_MAX, 2, 2, 1, x, 2, y, 2, 0, z, 2), "m of");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, SIZE_MAX / 2, 1, x, 2, y, 2, 0, z, 2), "k of");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, 2, NAN, x, 2, y, 2, 0, z, 2), "finite");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, 2, 1, x, 2, y, 2, INFINITY, z, 2), "finite");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, 3, 1, x, 2, y, 2, 0, z, 2), "a pitch of 2");
    refused(uskor, uskor_gemm(uskor, f64, 0, 1, 2, 3, 2, 1, x, 2, y, 1, 0, z, 3), "a pitch of 1");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 3, 2, 1, x, 2, y, 3, 0, z, 2), "a pitch of 2");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, 2, 1, x, SIZE_MAX, y, 2, 0, z, 2), "a pitch of");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 1u << 31, 2, 1u << 31, 1, x, (size_t)1 << 32, y, 2, 0, z, 2),
            "no memory");
    refused(uskor, uskor_gemm_batched(uskor, f64, f64, 0, 0, 2, 2, 2, 1, x, 2, y, 2, 0, z, 2, SIZE_MAX), "batch");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, 2, 1, NULL, 2, y, 2, 0, z, 2), "A is NULL");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, 2, 1, x, 2, NULL, 2, 0, z, 2), "B is NULL");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, 2, 1, x, 2, y, 2, 0, NULL, 2), "C is NULL");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, 2, 1, x, 2, y, 2, 0, (char *)z + 4, 2), "C is not at");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, 2, 1, (char *)x + 1, 2, y, 2, 0, z, 2), "A is not at");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, 2, 1, x, 2, y, 2, 0, x + 3, 2), "overlap");
    refused(uskor, uskor_gemm(uskor, f64, 0, 0, 2, 2, 2, 1, x, 2, y, 2, 0, y, 2), "overlap");
    refused(NULL, uskor_gemm(NULL, f64, 0, 0, 2, 2, 2, 1, x, 2, y, 2, 0, z, 2), "context is NULL");
    refused(uskor, uskor_plan_gemm(uskor, NULL, f64, f64, 0, 0, 2, 2, 2, 1, 2, 2, 0, 2, 1), "plan is NULL");
    refused(uskor, uskor_plan_gemm(uskor, &plan, f64, f64, 0, 0, 2, 2, 2, 1, 1, 2, 0, 2, 1), "a pitch of");
    assert_null(plan);
    assert_int_equal(uskor_gemm(uskor, f64, 0, 0, 2, 2, 2, 1, x, 2, x, 2, 0, z, 2), USKOR_OK); /* syrk */
    assert_int_equal(uskor_plan_gemm(uskor, &plan, f64, f64, 0, 0, 2, 2, 2, 1, 2, 2, 0, 2, 1), USKOR_OK);
    refused(uskor, uskor_run(plan, z, x, NULL), "B is NULL");
    assert_int_equal(uskor_run(plan, z, x, y), USKOR_OK);
    assert_int_equal(uskor_plan_free(plan), USKOR_OK);
    uskor_close(uskor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_right),
        cmocka_unit_test(devices_multiply_too),
        cmocka_unit_test(nothing_is_read_in_vain),
        cmocka_unit_test(halves_are_multiplied),
        cmocka_unit_test(the_number_of_threads_changes_no_bit),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
