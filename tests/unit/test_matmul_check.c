/* The check of the matrix product takes float arithmetic in any order, and nothing less. */
#include "matmul_bench.h"

#include <stdlib.h>

#include "base/size.h"
#include "kernels/matmul/check.h"

/* How a product's inputs are rounded before it. */
typedef float (*rounding)(float value);

static float keep(float value)
{
    return value;
}

static float to_bits(float value, unsigned dropped)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits + (1u << (dropped - 1))) & ~((1u << dropped) - 1);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float to_tf32(float value)
{
    return to_bits(value, 13);
}

static float to_14_bits(float value)
{
    return to_bits(value, 10);
}

static float a_at(const struct product *p, size_t row, size_t k)
{
    return ((const float *)p->a)[p->transa ? k * p->lda + row : row * p->lda + k];
}

static float b_at(const struct product *p, size_t k, size_t col)
{
    return ((const float *)p->b)[p->transb ? col * p->ldb + k : k * p->ldb + col];
}

#define COLUMNS_MAX 2048

/* op(A) and op(B) as rows without padding, rounded. */
struct operands {
    float *a, *b;
};

static struct operands gather(const struct product *p, rounding round_a, rounding round_b)
{
    struct operands o = {malloc((p->m * p->k + 1) * sizeof(float)), malloc((p->k * p->n + 1) * sizeof(float))};
    for (size_t row = 0; row < p->m; row++)
        for (size_t k = 0; k < p->k; k++)
            o.a[row * p->k + k] = round_a(a_at(p, row, k));
    for (size_t k = 0; k < p->k; k++)
        for (size_t col = 0; col < p->n; col++)
            o.b[k * p->n + col] = round_b(b_at(p, k, col));
    return o;
}

static void release(struct operands o)
{
    free(o.a);
    free(o.b);
}

/* In float, one term after another: what errs most of all right ways. */
static void multiply_floats(const struct product *p)
{
    struct operands o = gather(p, keep, keep);
    float alpha = (float)p->alpha, beta = (float)p->beta;
#pragma omp parallel for schedule(dynamic)
    for (size_t row = 0; row < p->m; row++) {
        float *c = (float *)p->c + row * p->ldc, sums[COLUMNS_MAX] = {0};
        for (size_t k = 0; k < product_depth(p); k++)
#pragma omp simd
            for (size_t col = 0; col < p->n; col++)
                sums[col] += o.a[row * p->k + k] * o.b[k * p->n + col];
        for (size_t col = 0; col < p->n; col++)
            c[col] = alpha * sums[col] + (beta == 0 ? 0 : beta * c[col]);
    }
    release(o);
}

/* Inputs rounded and sums in double: the least error that rounded inputs can make. */
static void multiply_rounded(const struct product *p, rounding round_a, rounding round_b)
{
    struct operands o = gather(p, round_a, round_b);
#pragma omp parallel for schedule(dynamic)
    for (size_t row = 0; row < p->m; row++) {
        double sums[COLUMNS_MAX] = {0};
        for (size_t k = 0; k < p->k; k++)
#pragma omp simd
            for (size_t col = 0; col < p->n; col++)
                sums[col] += (double)o.a[row * p->k + k] * (double)o.b[k * p->n + col];
        for (size_t col = 0; col < p->n; col++)
            ((float *)p->c)[row * p->ldc + col] = (float)sums[col];
    }
    release(o);
}

/* ---- tests --------------------------------------------------------------------------------------------------------
 */

static void test_float_arithmetic_passes(void **state)
{
    static const char *const texts[] = {
        "matmul:m=1,n=1,k=1",
        "matmul:m=3,n=5,k=0",
        "matmul:m=5,n=3,k=0,beta=-2,ldc_pad=1",
        "matmul:m=9,n=7,k=5,alpha=0,beta=0.5,input=special",
        "matmul:m=64,n=100,k=2,input=unit",
        "matmul:m=33,n=31,k=15,alpha=-1.5,beta=0.75,transa=t,lda_pad=2",
        "matmul:m=34,n=35,k=36,beta=1,transa=t,transb=t,lda_pad=3,ldb_pad=1,ldc_pad=2",
        "matmul:m=40,n=200,k=310,input=wide",
        "matmul:m=200,n=180,k=240,input=special",
        "matmul:m=200,n=300,k=1000",
        "matmul:m=300,n=200,k=1000,input=unit",
        "matmul:m=16,n=16,k=200000",
        "matmul:m=16,n=16,k=200000,input=unit",
        "matmul:m=80,n=50,k=6000",
        "matmul:m=200,n=80,k=6000,input=unit,transa=t,beta=1",
        "matmul:m=200,n=200,k=3000,input=special,transb=t,beta=-1,ldc_pad=3",
    };
    double most = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct bench bench;
        struct check_result result;
        open_bench(&bench, texts[i]);
        multiply_floats(&bench.product);
        if (!passes(&bench, &result))
            FAIL_WITH("%s: %s", texts[i], result.reason);
        if (result.worst > 0.75)
            FAIL_WITH("%s: sequential sums take %.2f of what is allowed: too near", texts[i], result.worst);
        most = fmax(most, result.worst);
        close_bench(&bench);
    }
    if (most < 0.15)
        FAIL_WITH("sequential sums take %.2f of what is allowed at the most: too much is", most);
}

static void test_tf32_fails_at_every_depth(void **state)
{
    static const char *const texts[] = {
        "matmul:m=64,n=64,k=1",     "matmul:m=64,n=64,k=2",
        "matmul:m=64,n=64,k=8",     "matmul:m=64,n=64,k=64",
        "matmul:m=64,n=64,k=511",   "matmul:m=64,n=64,k=4096",
        "matmul:m=16,n=16,k=65536", "matmul:m=8,n=8,k=500000",
        "matmul:m=80,n=50,k=6000",  "matmul:m=100,n=100,k=300,input=wide",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int unit = 0; unit < 2; unit++) {
            char text[128];
            struct bench bench;
            struct check_result result;
            bool has_input = strstr(texts[i], "input") != NULL;
            snprintf(text, sizeof text, "%s%s", texts[i], unit && !has_input ? ",input=unit" : "");
            open_bench(&bench, text);
            multiply_rounded(&bench.product, keep, keep);
            if (!passes(&bench, &result))
                FAIL_WITH("%s: %s", text, result.reason);
            multiply_rounded(&bench.product, to_tf32, to_tf32);
            if (passes(&bench, &result))
                FAIL_WITH("%s: tf32 passes, at %.2f of what is allowed", text, result.worst);
            multiply_rounded(&bench.product, to_tf32, keep);
            if (passes(&bench, &result))
                FAIL_WITH("%s: A in tf32 passes, at %.2f of what is allowed", text, result.worst);
            close_bench(&bench);
        }
}

/* All elements have one error. By chance it is near that of tf32, which makes no error in a constant of few bits. */
static void test_constant_matrices_are_no_tf32(void **state)
{
    struct bench bench;
    struct check_result result;
    (void)state;
    open_bench(&bench, "matmul:m=32,n=32,k=200");
    const struct product *p = &bench.product;
    for (int trial = 0; trial < 100; trial++) {
        float constants[2] = {1 + (float)(37 * trial % 101) / 64 + 0x1p-20f * (float)trial, 1.25f};
        for (size_t i = 0; i < p->m * p->k; i++)
            ((float *)bench.input.data[0])[i] = constants[0];
        for (size_t i = 0; i < p->k * p->n; i++)
            ((float *)bench.input.data[1])[i] = constants[1];
        multiply_floats(p);
        if (!passes(&bench, &result))
            FAIL_WITH("%a: %s", (double)constants[0], result.reason);
    }
    close_bench(&bench);
}

/* The product is less than half of the old value's last bit, and left out. */
static void test_a_hidden_product_is_no_tf32(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 100; seed++) {
        char text[160];
        struct bench bench;
        struct check_result result;
        snprintf(text, sizeof text, "matmul:m=24,n=24,k=24,alpha=-2.34129693073756e-14,beta=-1,input=unit,seed=%d",
                 seed);
        open_bench(&bench, text);
        multiply_floats(&bench.product);
        if (!passes(&bench, &result))
            FAIL_WITH("%s: %s", text, result.reason);
        close_bench(&bench);
    }
}

static void test_fewer_bits_fail_while_depth_lets_them_be_seen(void **state)
{
    struct bench bench;
    struct check_result result;
    (void)state;
    open_bench(&bench, "matmul:m=256,n=256,k=256");
    multiply_rounded(&bench.product, to_14_bits, to_14_bits);
    assert_false(passes(&bench, &result));
    close_bench(&bench);
}

/* Changes one element of a right result, which then must fail. */
static void spoil(const char *text, size_t row, size_t col, float factor, float addend)
{
    struct bench bench;
    struct check_result result;
    char where[64];
    open_bench(&bench, text);
    multiply_floats(&bench.product);
    float *at = (float *)bench.product.c + row * bench.product.ldc + col;
    *at = *at * factor + addend;
    assert_false(passes(&bench, &result));
    snprintf(where, sizeof where, "[%zu][%zu]: expected", row, col);
    if (strncmp(result.reason, where, strlen(where)) != 0)
        FAIL_WITH("%s: %s, but %s wrong", text, result.reason, where);
    close_bench(&bench);
}

static void test_one_wrong_element_fails(void **state)
{
    (void)state;
    spoil("matmul:m=70,n=90,k=50", 69, 89, 1.001f, 0);
    spoil("matmul:m=70,n=90,k=50", 0, 0, 1, 1e-3f);
    spoil("matmul:m=70,n=90,k=50", 33, 64, 1, NAN);
    spoil("matmul:m=70,n=90,k=50,beta=1,input=unit", 5, 64, 1, -INFINITY);
    spoil("matmul:m=300,n=290,k=1300", 277, 201, 1, 0.1f);
    spoil("matmul:m=300,n=290,k=1300,beta=2", 299, 289, 0, 0);
    spoil("matmul:m=300,n=290,k=1300", 123, 256, 1, NAN);
    spoil("matmul:m=290,n=300,k=1300,transa=t,transb=t", 200, 299, 1, INFINITY);
}

static void test_nan_and_infinity_must_arrive(void **state)
{
    static const char *const texts[] = {"matmul:m=60,n=50,k=40,input=special",
                                        "matmul:m=300,n=290,k=1300,input=special"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct bench bench;
        struct check_result result;
        size_t changed = 0;
        open_bench(&bench, texts[i]);
        multiply_floats(&bench.product);
        float *c = bench.product.c;
        for (size_t at = 0; at < bench.product.m * bench.product.n && changed == 0; at++)
            if (!isfinite(c[at])) {
                c[at] = 0;
                changed++;
            }
        assert_int_equal(changed, 1);
        assert_false(passes(&bench, &result));
        close_bench(&bench);
    }
}

static void test_output_left_alone_fails(void **state)
{
    struct bench bench;
    struct check_result result;
    (void)state;
    open_bench(&bench, "matmul:m=40,n=30,k=20");
    memset(bench.output.data[2], 0xfe, bench.arrays[2].bytes);
    assert_false(passes(&bench, &result));
    assert_non_null(strstr(result.reason, "never written"));
    close_bench(&bench);
}

static void test_padding_must_stay(void **state)
{
    struct bench bench;
    struct check_result result;
    (void)state;
    open_bench(&bench, "matmul:m=40,n=30,k=20,ldc_pad=3");
    multiply_floats(&bench.product);
    assert_true(passes(&bench, &result));
    ((float *)bench.product.c)[17 * 33 + 32] = 0;
    assert_false(passes(&bench, &result));
    assert_string_equal(result.where, "row [17]");
    close_bench(&bench);
}

static void test_doubles_are_held_to_double_accuracy(void **state)
{
    struct bench bench;
    struct check_result result;
    (void)state;
    open_bench(&bench, "matmul:m=30,n=40,k=50,f64");
    const struct product *p = &bench.product;
    for (size_t row = 0; row < p->m; row++)
        for (size_t col = 0; col < p->n; col++) {
            double sum = 0;
            for (size_t k = 0; k < p->k; k++)
                sum += ((const double *)p->a)[row * p->lda + k] * ((const double *)p->b)[k * p->ldb + col];
            ((double *)p->c)[row * p->ldc + col] = sum;
        }
    assert_true(passes(&bench, &result));
    ((double *)p->c)[7] = (float)((double *)p->c)[7];
    assert_false(passes(&bench, &result));
    close_bench(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_float_arithmetic_passes),
        cmocka_unit_test(test_tf32_fails_at_every_depth),
        cmocka_unit_test(test_constant_matrices_are_no_tf32),
        cmocka_unit_test(test_a_hidden_product_is_no_tf32),
        cmocka_unit_test(test_fewer_bits_fail_while_depth_lets_them_be_seen),
        cmocka_unit_test(test_one_wrong_element_fails),
        cmocka_unit_test(test_nan_and_infinity_must_arrive),
        cmocka_unit_test(test_output_left_alone_fails),
        cmocka_unit_test(test_padding_must_stay),
        cmocka_unit_test(test_doubles_are_held_to_double_accuracy),
    };
    check_exact_operations = 0x1p27; /* random vectors judge products of a tenth of a second, too */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
