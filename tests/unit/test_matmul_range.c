/* The check of the matrix product where numbers are near the ends of their type's range. */
#include "matmul_bench.h"

#include "base/size.h"
#include "kernels/matmul/check.h"

static double number(const struct product *p, const void *data, size_t index)
{
    return p->type == ELEMENT_F32 ? (double)((const float *)data)[index] : ((const double *)data)[index];
}

static void put(const struct product *p, void *data, size_t index, double value)
{
    if (p->type == ELEMENT_F32)
        ((float *)data)[index] = (float)value;
    else
        ((double *)data)[index] = value;
}

/* A and B times a factor each; each row of A also times `slope` more than the one before. */
static void scale_inputs(struct bench *bench, double factor_a, double slope, double factor_b)
{
    const struct product *p = &bench->product;
    for (size_t row = 0; row < p->m; row++) {
        for (size_t at = row * p->lda; at < row * p->lda + p->k; at++)
            put(p, bench->input.data[0], at, number(p, p->a, at) * factor_a);
        factor_a *= slope;
    }
    for (size_t at = 0; at < p->k * p->ldb; at++)
        put(p, bench->input.data[1], at, number(p, p->b, at) * factor_b);
}

#define DEFINE_MULTIPLY(name, element)                                                       \
    static void name(const struct product *p)                                                \
    {                                                                                        \
        const element *a = p->a, *b = p->b;                                                  \
        element *c = p->c;                                                                   \
        _Pragma("omp parallel for schedule(static)") for (size_t row = 0; row < p->m; row++) \
        {                                                                                    \
            for (size_t col = 0; col < p->n; col++)                                          \
                c[row * p->n + col] = 0;                                                     \
            for (size_t k = 0; k < p->k; k++)                                                \
                for (size_t col = 0; col < p->n; col++)                                      \
                    c[row * p->n + col] += a[row * p->k + k] * b[k * p->n + col];            \
        }                                                                                    \
    }
DEFINE_MULTIPLY(multiply_floats, float)
DEFINE_MULTIPLY(multiply_doubles, double)

static void multiply(const struct product *p)
{
    (p->type == ELEMENT_F32 ? multiply_floats : multiply_doubles)(p);
}

/* Spoils one element of a right product in several ways, each of which must be found. */
static void spoil(struct bench *bench, const char *what, bool coarsely)
{
    double *element = (double *)bench->product.c + 33 * bench->product.n + 44, right = *element;
    const double fine[] = {right * (1 + 0x1p-30), 0, -right, NAN, INFINITY, 1e300, right * 1e90};
    const double coarse[] = {1e300};
    struct check_result result;
    for (size_t i = 0; i < (coarsely ? COUNT_OF(coarse) : COUNT_OF(fine)); i++) {
        *element = coarsely ? coarse[i] : fine[i];
        if (passes(bench, &result))
            FAIL_WITH("%s: %g passes for %g", what, *element, right);
    }
}

/* Doubles whose squares are beyond a double, or below it, are judged as sharply as others. */
static void test_doubles_of_any_size(void **state)
{
    static const struct {
        double a, slope, b;
        bool large; /* a product for random vectors */
    } cases[] = {
        {1, 1, 1, false},         {1e-100, 1, 1e-100, false},   {1e100, 1, 1e100, false},  {1e-160, 1, 1e-100, false},
        {1e150, 1, 1e150, false}, {1e-260, 1, 1e160, false},    {1e160, 1, 1e-260, false}, {1, 1e-4, 1, false},
        {1e-250, 1e7, 1, false},  {1e-120, 1e-1, 1e-90, false}, {1, 1, 1, true},           {1e-100, 1, 1e-100, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct bench bench;
        struct check_result result;
        char what[64];
        open_bench(&bench, cases[i].large ? "matmul:m=70,n=220,k=1400,f64" : "matmul:m=70,n=90,k=300,f64");
        scale_inputs(&bench, cases[i].a, cases[i].slope, cases[i].b);
        multiply(&bench.product);
        snprintf(what, sizeof what, "case %zu", i);
        if (!passes(&bench, &result))
            FAIL_WITH("%s: %s", what, result.reason);
        if (((double *)bench.product.c)[33 * bench.product.n + 44] != 0)
            spoil(&bench, what, cases[i].large);
        close_bench(&bench);
    }
}

/* Where terms are beyond the range, sums may be infinite, or NaN; but what is finite must be right, and where they are
 * not, nothing else may be infinite. */
static void test_overflow_is_no_error(void **state)
{
    static const char *const texts[] = {"matmul:m=60,n=70,k=50", "matmul:m=150,n=200,k=800"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct bench bench;
        struct check_result result;
        open_bench(&bench, texts[i]);
        scale_inputs(&bench, 1e19, 0.9, 1e19); /* the first rows overflow */
        multiply(&bench.product);
        float *c = bench.product.c;
        size_t last = (bench.product.m - 1) * bench.product.n;
        assert_false(isfinite(c[0]) && isfinite(c[1]) && isfinite(c[2]) && isfinite(c[3]) && isfinite(c[4]));
        if (!passes(&bench, &result))
            FAIL_WITH("%s: %s", texts[i], result.reason);
        if (i == 0) {
            c[0] = NAN; /* terms of both signs overflow */
            assert_true(passes(&bench, &result));
            c[0] = 1;
            assert_false(passes(&bench, &result));
            c[0] = INFINITY;
        }
        c[last] = INFINITY;
        assert_false(passes(&bench, &result));
        close_bench(&bench);
    }
}

/* Where the terms that overflow are of one sign, so is the infinity, and nothing is NaN. */
static void test_an_infinity_has_the_sign_of_its_terms(void **state)
{
    static const char *const texts[] = {"matmul:m=30,n=40,k=50,input=unit", "matmul:m=30,n=40,k=50,alpha=-2,input=unit",
                                        "matmul:m=30,n=40,k=50,beta=1,input=unit",
                                        "matmul:m=30,n=40,k=50,input=unit,f64"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct bench bench;
        struct check_result result;
        open_bench(&bench, texts[i]);
        const struct product *p = &bench.product;
        double large = p->type == ELEMENT_F32 ? 1e25 : 1e170, sign = p->alpha < 0 ? -1 : 1;
        scale_inputs(&bench, large, 1, large);
        for (size_t at = 0; at < p->m * p->n; at++)
            put(p, p->c, at, sign * (double)INFINITY);
        if (!passes(&bench, &result))
            FAIL_WITH("%s: %s", texts[i], result.reason);
        const double wrong[] = {-sign * (double)INFINITY, (double)NAN, 0, sign * 1e38};
        for (size_t w = 0; w < COUNT_OF(wrong); w++) {
            put(p, p->c, 77, wrong[w]);
            if (passes(&bench, &result))
                FAIL_WITH("%s: %g passes", texts[i], wrong[w]);
        }
        close_bench(&bench);
    }
}

/* Terms that overflow before they meet an infinity of the other sign make NaN, and behind it that infinity. The sum is
 * of a·b over the depth, and of C as it was. */
static void test_an_infinity_meets_an_overflow(void **state)
{
    static const struct {
        float a[3], b[3], c;
        bool is_read; /* C */
        float right[2], wrong[3];
    } cases[] = {
        {{3e38f, 3e38f, -INFINITY}, {1, 1, 1}, 0, false, {NAN, -INFINITY}, {INFINITY, 0, 3e38f}},
        {{INFINITY, -3e38f, -3e38f}, {1, 1, 1}, 0, false, {NAN, INFINITY}, {-INFINITY, 0, -3e38f}},
        {{1, 1, 1}, {3e38f, -INFINITY, 3e38f}, 0, false, {NAN, -INFINITY}, {INFINITY, 1, 0}},
        {{2e38f, 2e38f, 1}, {1, 1, 1}, -INFINITY, true, {NAN, -INFINITY}, {INFINITY, 0, 4e37f}},
        {{1e20f, 1, -1}, {1e20f, -INFINITY, 1}, 0, false, {NAN, -INFINITY}, {INFINITY, 0, 1}},
        {{1, 2, -INFINITY}, {1, 1, 1}, 0, false, {-INFINITY, -INFINITY}, {NAN, INFINITY, 3}},
        {{1, INFINITY, -INFINITY}, {1, 1, 1}, 0, false, {NAN, NAN}, {-INFINITY, INFINITY, 1}},
        {{3e38f, 3e38f, -INFINITY}, {1, 1, 0}, 0, false, {NAN, NAN}, {-INFINITY, INFINITY, 0}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int turned = 0; turned < 2; turned++) {
            struct bench bench;
            struct check_result result;
            open_bench(&bench, cases[i].is_read ? "matmul:m=1,n=1,k=3,beta=1" : "matmul:m=1,n=1,k=3");
            for (size_t k = 0; k < 3; k++) {
                put(&bench.product, bench.input.data[0], k, turned ? (double)cases[i].b[k] : (double)cases[i].a[k]);
                put(&bench.product, bench.input.data[1], k, turned ? (double)cases[i].a[k] : (double)cases[i].b[k]);
            }
            put(&bench.product, bench.input.data[2], 0, (double)cases[i].c);
            for (size_t r = 0; r < COUNT_OF(cases[i].right); r++) {
                *(float *)bench.product.c = cases[i].right[r];
                if (!passes(&bench, &result))
                    FAIL_WITH("case %zu: %g is refused: %s", i, (double)cases[i].right[r], result.reason);
            }
            for (size_t w = 0; w < COUNT_OF(cases[i].wrong); w++) {
                *(float *)bench.product.c = cases[i].wrong[w];
                if (passes(&bench, &result))
                    FAIL_WITH("case %zu: %g passes", i, (double)cases[i].wrong[w]);
            }
            close_bench(&bench);
        }
}

int main(void)
{
    check_exact_operations = 0x1p25; /* random vectors judge products of a hundredth of a second, too */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles_of_any_size),
        cmocka_unit_test(test_overflow_is_no_error),
        cmocka_unit_test(test_an_infinity_has_the_sign_of_its_terms),
        cmocka_unit_test(test_an_infinity_meets_an_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
