/* uskor_gemm_strided, as its users call it: steps, what is never read, accuracy, the same bits; only uskor.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "uskor.h"

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define GAP -12345.0

struct shape {
    int ta, tb;
    size_t m, n, k, lda, step_a, ldb, step_b, ldc, step_c, batch;
};

static size_t elements(size_t rows, size_t pitch, size_t step, size_t batch)
{
    return (batch - 1) * step + rows * pitch + 1;
}

static double *numbers(size_t count, uint32_t word)
{
    double *data = malloc(count * sizeof *data);
    assert_non_null(data);
    for (size_t i = 0; i < count; i++) {
        word = word * 1664525 + 1013904223;
        data[i] = (double)((int)(word >> 20) % 17 - 8);
    }
    return data;
}

static void multiplies(struct uskor *uskor, const struct shape *s)
{
    const size_t a_count = elements(s->ta ? s->k : s->m, s->lda, s->step_a, s->batch);
    const size_t b_count = elements(s->tb ? s->n : s->k, s->ldb, s->step_b, s->batch);
    const size_t c_count = elements(s->m, s->ldc, s->step_c, s->batch);
    double *a = numbers(a_count, 1), *b = numbers(b_count, 2), *c = malloc(c_count * sizeof *c),
           *expected = malloc(c_count * sizeof *expected);
    struct uskor_plan *plan;
    assert_true(c && expected);
    for (size_t i = 0; i < c_count; i++)
        c[i] = expected[i] = GAP;
    for (size_t p = 0; p < s->batch; p++)
        for (size_t i = 0; i < s->m; i++)
            for (size_t j = 0; j < s->n; j++) {
                double sum = 0;
                for (size_t l = 0; l < s->k; l++)
                    sum += a[p * s->step_a + (s->ta ? l * s->lda + i : i * s->lda + l)] *
                           b[p * s->step_b + (s->tb ? j * s->ldb + l : l * s->ldb + j)];
                expected[p * s->step_c + i * s->ldc + j] = 2 * sum;
            }
    if (uskor_gemm_strided(uskor, USKOR_FLOAT64, USKOR_FLOAT64, s->ta, s->tb, s->m, s->n, s->k, 2, a, s->lda, s->step_a,
                           b, s->ldb, s->step_b, 0, c, s->ldc, s->step_c, s->batch, USKOR_SAME_BITS) != USKOR_OK)
        fail_msg("%s", uskor_message(uskor));
    assert_memory_equal(c, expected, c_count * sizeof *c);
    assert_int_equal(uskor_plan_gemm_strided(uskor, &plan, USKOR_FLOAT64, USKOR_FLOAT64, s->ta, s->tb, s->m, s->n, s->k,
                                             2, s->lda, s->step_a, s->ldb, s->step_b, 0, s->ldc, s->step_c, s->batch,
                                             0),
                     USKOR_OK);
    for (size_t i = 0; i < c_count; i++)
        c[i] = GAP;
    assert_int_equal(uskor_run(plan, c, a, b), USKOR_OK);
    assert_memory_equal(c, expected, c_count * sizeof *c);
    uskor_plan_free(plan);
    free(a), free(b), free(c), free(expected);
}

/* One after another, with gaps, side by side in the same rows, one for all; one product. */
static void steps_are_any(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {0, 0, 5, 6, 7, 7, 35, 6, 42, 6, 30, 4},          {0, 0, 5, 6, 7, 9, 50, 8, 60, 7, 41, 3},
        {0, 0, 5, 6, 7, 28, 7, 24, 6, 24, 6, 4},          {1, 1, 33, 35, 31, 33, 0, 31, 1085, 35, 1155, 5},
        {0, 1, 40, 50, 60, 61, 2440, 60, 0, 51, 2100, 3}, {1, 0, 70, 65, 66, 70, 3, 65, 7, 65, 4551, 2},
        {0, 0, 3, 4, 5, 5, 1000, 4, 7, 4, 0, 1},          {0, 0, 8, 8, 8, 8, 64, 8, 64, 8, 64, 200},
    };
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t i = 0; i < COUNT(shapes); i++)
        multiplies(uskor, &shapes[i]);
    uskor_close(uskor);
}

static const enum uskor_number types[] = {USKOR_FLOAT32, USKOR_FLOAT64, USKOR_FLOAT16, USKOR_BFLOAT16};
static const size_t sizes[] = {4, 8, 2, 2};

/* With alpha = 0 A and B may be pages that nobody can read; with beta = 0 C may hold NaN. */
static void what_counts_for_nothing_is_never_read(void **state)
{
    (void)state;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 24;
    struct uskor *uskor;
    void *closed = mmap(NULL, 8 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char c[24 * 24 * 8], ones[24 * 24 * 8];
    assert_true(closed != MAP_FAILED);
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t t = 0; t < COUNT(types); t++)
        for (unsigned flags = 0; flags < 4; flags += 2)
            for (size_t batch = 1; batch < 4; batch += 2) {
                const size_t m = n / batch;
                if (types[t] == USKOR_FLOAT64 && flags)
                    continue;
                memset(c, 0xff, sizeof c); /* NaN in every type */
                for (int beta = 0; beta < 2; beta++) {
                    if (beta)
                        memset(c, 0, sizeof c);
                    assert_int_equal(uskor_gemm_strided(uskor, types[t], types[t], 0, 0, m, n, n, 0, closed, n, m * n,
                                                        closed, n, 0, beta, c, n, m * n, batch, flags),
                                     USKOR_OK);
                    for (size_t i = 0; i < n * n * sizes[t]; i++)
                        assert_int_equal(c[i], 0);
                }
                memset(c, 0xff, sizeof c);
                memset(ones, 0, sizeof ones);
                assert_int_equal(uskor_gemm_strided(uskor, types[t], types[t], 0, 0, m, n, n, 1, ones, n, m * n, ones,
                                                    n, 0, 0, c, n, m * n, batch, flags),
                                 USKOR_OK);
                for (size_t i = 0; i < m * n * batch * sizes[t]; i++)
                    assert_int_equal(c[i], 0);
                assert_int_equal(uskor_gemm_strided(uskor, types[t], types[t], 0, 0, m, n, 0, 1, closed, n, n, closed,
                                                    n, 0, 0, c, n, m * n, batch, flags),
                                 USKOR_OK);
            }
    assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT32, 0, 0, n, n, n, 0, NULL, n, NULL, n, 0, c, n), USKOR_OK);
    uskor_close(uskor);
    munmap(closed, 8 * page);
}

/* Whatever the number of threads; sizes at which work is shared out otherwise. */
static void bits_are_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {
        {300, 400, 500}, {33, 1000, 700}, {1000, 3, 2000}, {1, 900, 900}, {64, 64, 3000}};
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    for (size_t s = 0; s < COUNT(shapes); s++) {
        const size_t m = shapes[s][0], n = shapes[s][1], k = shapes[s][2];
        float *a = malloc((m + n) * k * sizeof *a), *b = a + m * k, *c[2];
        uint32_t word = 3;
        c[0] = malloc(m * n * sizeof(float)), c[1] = malloc(m * n * sizeof(float));
        assert_true(a && c[0] && c[1]);
        for (size_t i = 0; i < (m + n) * k; i++)
            a[i] = (float)(int32_t)(word = word * 1664525 + 1013904223) / 3e9f;
        for (unsigned threads = 1; threads < 8; threads += threads < 3 ? 1 : 2) {
            uskor_set_threads(threads);
            assert_int_equal(uskor_gemm_strided(uskor, USKOR_FLOAT32, USKOR_FLOAT32, 0, 1, m, n, k, 0.7, a, k, 0, b, k,
                                                0, 0, c[threads > 1], n, 0, 1, USKOR_SAME_BITS),
                             USKOR_OK);
            if (threads > 1)
                assert_memory_equal(c[0], c[1], m * n * sizeof(float));
        }
        free(a), free(c[0]), free(c[1]);
    }
    uskor_set_threads(0);
    uskor_close(uskor);
}

/* Long sums of terms of both signs, which floats lose. */
static void high_accuracy_adds_in_double(void **state)
{
    (void)state;
    enum { K = 4096, N = 16 };
    struct uskor *uskor;
    static float a[K], b[K * N];
    float c[N] = {0}, usual[N] = {0};
    uint32_t word = 9;
    for (int i = 0; i < K; i++)
        a[i] = (float)(int32_t)(word = word * 1664525 + 1013904223) / 1e6f;
    for (int i = 0; i < K * N; i++)
        b[i] = (float)(int32_t)(word = word * 1664525 + 1013904223) / 1e9f;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    assert_int_equal(uskor_gemm_strided(uskor, USKOR_FLOAT32, USKOR_FLOAT32, 0, 0, 1, N, K, 1, a, K, 0, b, N, 0, 0, c,
                                        N, 0, 1, USKOR_HIGH_ACCURACY),
                     USKOR_OK);
    assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT32, 0, 0, 1, N, K, 1, a, K, b, N, 0, usual, N), USKOR_OK);
    int better = 0;
    for (int j = 0; j < N; j++) {
        double exact = 0;
        for (int i = 0; i < K; i++)
            exact += (double)a[i] * (double)b[i * N + j];
        const double error = fabs((double)c[j] - exact);
        assert_true(error <= fabs(exact) * 0x1p-24 + 1e-5);
        better += error < fabs((double)usual[j] - exact);
    }
    assert_true(better > N / 2); /* the mode makes a difference here */
    uskor_close(uskor);
}

#define REFUSED(word, ...)                                                       \
    do {                                                                         \
        assert_int_equal(uskor_gemm_strided(uskor, __VA_ARGS__), USKOR_INVALID); \
        if (!strstr(uskor_message(uskor), word))                                 \
            fail_msg("\"%s\" does not say \"%s\"", uskor_message(uskor), word);  \
    } while (0)

static void refuses_wrong_arguments(void **state)
{
    (void)state;
    struct uskor *uskor;
    struct uskor_plan *plan = NULL;
    double x[64] = {0}, y[64] = {0}, z[64];
    const enum uskor_number f64 = USKOR_FLOAT64, f32 = USKOR_FLOAT32;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    REFUSED("no such flags: 0x4", f64, f64, 0, 0, 2, 2, 2, 1, x, 2, 4, y, 2, 4, 0, z, 2, 4, 2, 4);
    REFUSED("no higher accuracy", f64, f64, 0, 0, 2, 2, 2, 1, x, 2, 4, y, 2, 4, 0, z, 2, 4, 2, USKOR_HIGH_ACCURACY);
    REFUSED("with a step of 3 the matrices of C overlap", f64, f64, 0, 0, 2, 2, 2, 1, x, 2, 4, y, 2, 4, 0, z, 2, 3, 2,
            0);
    REFUSED("overlap", f64, f64, 0, 0, 2, 2, 2, 1, x, 2, 4, y, 2, 4, 0, z, 2, 0, 2, 0);
    REFUSED("overlap", f64, f64, 0, 0, 2, 2, 2, 1, x, 2, 4, y, 2, 4, 0, z, 5, 2, 3, 0);
    REFUSED("fit in no memory", f64, f64, 0, 0, 2, 2, 2, 1, x, 2, SIZE_MAX / 4, y, 2, 4, 0, z, 2, 4, 9, 0);
    REFUSED("A is NULL", f32, f32, 0, 0, 2, 2, 2, 1, NULL, 2, 4, y, 2, 4, 0, z, 2, 4, 2, 0);
    REFUSED("C and B overlap", f64, f64, 0, 0, 2, 2, 2, 1, x, 2, 4, y, 2, 4, 0, y + 7, 2, 4, 2, 0);
    REFUSED("C is not at a multiple", f64, f64, 0, 0, 2, 2, 2, 1, x, 2, 4, y, 2, 4, 0, (char *)z + 4, 2, 4, 2, 0);
    REFUSED("a batch of", f64, f64, 0, 0, 2, 2, 2, 1, x, 2, 4, y, 2, 4, 0, z, 2, 4, SIZE_MAX, 0);
    assert_int_equal(uskor_gemm_strided(NULL, f64, f64, 0, 0, 2, 2, 2, 1, x, 2, 4, y, 2, 4, 0, z, 2, 4, 2, 0),
                     USKOR_INVALID);
    assert_int_equal(uskor_plan_gemm_strided(uskor, &plan, f64, f64, 0, 0, 2, 2, 2, 1, 1, 4, 2, 4, 0, 2, 4, 2, 0),
                     USKOR_INVALID);
    assert_null(plan);
    assert_int_equal(uskor_gemm_strided(uskor, f64, f64, 0, 0, 2, 2, 2, 1, x, 2, 4, y, 2, 4, 0, z, 2, 4, 2, 0),
                     USKOR_OK);
    uskor_close(uskor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_any),
        cmocka_unit_test(what_counts_for_nothing_is_never_read),
        cmocka_unit_test(bits_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(high_accuracy_adds_in_double),
        cmocka_unit_test(refuses_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
