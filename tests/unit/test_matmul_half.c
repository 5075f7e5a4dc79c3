/* The check of products of 16-bit elements: right answers pass, whatever the order of their sums and whether tensor
 * cores cut off; short cuts do not. */
#include "matmul_bench.h"

#include "base/half.h"
#include "base/size.h"

/* The factors' elements as numbers, of the product that is computed. */
static double *a_numbers, *b_numbers;

static double a_at(const struct product *p, size_t row, size_t k)
{
    return a_numbers[row * p->k + k];
}

static double b_at(const struct product *p, size_t k, size_t col)
{
    return b_numbers[col * p->k + k];
}

static void read_factors(const struct product *p)
{
    a_numbers = malloc(p->m * p->k * sizeof *a_numbers);
    b_numbers = malloc(p->n * p->k * sizeof *b_numbers);
    assert_true(a_numbers && b_numbers);
    for (size_t k = 0; k < p->k; k++) {
        for (size_t row = 0; row < p->m; row++)
            a_numbers[row * p->k + k] = element_number(p->type, p->a, p->transa ? k * p->lda + row : row * p->lda + k);
        for (size_t col = 0; col < p->n; col++)
            b_numbers[col * p->k + k] = element_number(p->type, p->b, p->transb ? col * p->ldb + k : k * p->ldb + col);
    }
}

static double before_at(const struct bench *bench, size_t row, size_t col)
{
    const struct product *p = &bench->product;
    return p->beta != 0 ? element_number(p->result, bench->input.data[2], row * p->ldc + col) : 0;
}

typedef float sums(const struct product *p, size_t row, size_t col);
typedef void puts_result(const struct product *p, size_t at, float sum);

static float in_order(const struct product *p, size_t row, size_t col)
{
    float sum = 0;
    for (size_t k = 0; k < p->k; k++)
        sum += (float)a_at(p, row, k) * (float)b_at(p, k, col);
    return sum;
}

static float backwards_in_fours(const struct product *p, size_t row, size_t col)
{
    float part[4] = {0};
    for (size_t k = p->k; k-- > 0;)
        part[k % 4] += (float)a_at(p, row, k) * (float)b_at(p, k, col);
    return (part[0] + part[3]) + (part[2] + part[1]);
}

/* Towards zero, to 24 digits. */
static float cut_off(double value)
{
    const float near = (float)value;
    return fabs((double)near) > fabs(value) ? nextafterf(near, 0) : near;
}

/* As a tensor core may: four products and the sum, aligned to the largest of them, and cut off. */
static float as_tensor_core(const struct product *p, size_t row, size_t col)
{
    float sum = 0;
    for (size_t k = 0; k < p->k; k += 4) {
        double all = sum;
        for (size_t i = k; i < k + 4 && i < p->k; i++)
            all += a_at(p, row, i) * b_at(p, i, col);
        sum = cut_off(all);
    }
    return sum;
}

static float in_half(const struct product *p, size_t row, size_t col)
{
    uint16_t sum;
    element_put(p->type, &sum, 0, 0);
    for (size_t k = 0; k < p->k; k++)
        element_put(p->type, &sum, 0, element_number(p->type, &sum, 0) + a_at(p, row, k) * b_at(p, k, col));
    return (float)element_number(p->type, &sum, 0);
}

/* Partial sums of 16 bits, as in a library's split depth. */
static float halves_of_halves(const struct product *p, size_t row, size_t col)
{
    uint16_t part[2] = {0};
    for (size_t h = 0; h < 2; h++) {
        float sum = 0;
        for (size_t k = h * p->k / 2; k < (h + 1) * p->k / 2; k++)
            sum += (float)a_at(p, row, k) * (float)b_at(p, k, col);
        element_put(p->type, part, h, (double)sum);
    }
    return (float)(element_number(p->type, part, 0) + element_number(p->type, part, 1));
}

static float without_last_term(const struct product *p, size_t row, size_t col)
{
    float sum = in_order(p, row, col);
    return row == p->m / 2 && col == p->n / 3 ? sum - (float)(a_at(p, row, p->k - 1) * b_at(p, p->k - 1, col)) : sum;
}

/* Elements with a digit less. */
static float from_shorter(const struct product *p, size_t row, size_t col)
{
    const int digits = p->type == ELEMENT_F16 ? 10 : 7;
    float sum = 0;
    for (size_t k = 0; k < p->k; k++) {
        int exponent;
        const double mantissa = frexp(a_at(p, row, k), &exponent);
        sum += (float)ldexp(rint(ldexp(mantissa, digits)), exponent - digits) * (float)b_at(p, k, col);
    }
    return sum;
}

static float without_subnormals(const struct product *p, size_t row, size_t col)
{
    const double least = p->type == ELEMENT_F16 ? 0x1p-14 : 0x1p-126;
    float sum = 0;
    for (size_t k = 0; k < p->k; k++)
        sum += fabs(a_at(p, row, k)) < least ? 0 : (float)a_at(p, row, k) * (float)b_at(p, k, col);
    return sum;
}

static void rounded(const struct product *p, size_t at, float sum)
{
    element_put(p->result, p->c, at, (double)sum);
}

static void truncated(const struct product *p, size_t at, float sum)
{
    element_put(p->result, p->c, at, (double)sum);
    if (fabs(element_number(p->result, p->c, at)) > fabs((double)sum))
        ((uint16_t *)p->c)[at]--;
}

static void saturated(const struct product *p, size_t at, float sum)
{
    element_put(p->result, p->c, at, (double)sum);
    if (isinf(element_number(p->result, p->c, at)) && isfinite(sum))
        ((uint16_t *)p->c)[at]--;
}

static void run(struct bench *bench, sums *sum, puts_result *put)
{
    const struct product *p = &bench->product;
    read_factors(p);
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < p->m; row++)
        for (size_t col = 0; col < p->n; col++)
            put(p, row * p->ldc + col,
                (float)p->alpha * sum(p, row, col) + (float)p->beta * (float)before_at(bench, row, col));
    free(a_numbers);
    free(b_numbers);
}

static void expect(const char *text, sums *sum, puts_result *put, bool right, const char *what)
{
    struct bench bench;
    struct check_result result;
    open_bench(&bench, text);
    run(&bench, sum, put);
    if (passes(&bench, &result) != right)
        FAIL_WITH("%s: %s %s: %s", text, what, right ? "is refused" : "passes", result.reason);
    close_bench(&bench);
}

static const char *const types[] = {"f16", "bf16"};

static void test_right_answers_pass(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "m=40,n=50,k=300",
        "m=33,n=21,k=4000,input=unit",
        "m=33,n=21,k=4000,input=unit,result=f32",
        "m=24,n=31,k=20000,input=unit,result=f32",
        "m=40,n=50,k=1000,result=f32,alpha=-1.5,beta=0.5",
        "m=40,n=50,k=300,input=tiny",
        "m=40,n=50,k=300,input=huge",
        "m=40,n=50,k=300,input=wide",
        "m=40,n=50,k=300,input=integers,beta=-1",
        "m=40,n=50,k=3000,input=integers,result=f32,transa=t,transb=t",
        "m=30,n=20,k=200,input=normal,beta=1",
        "m=200,n=210,k=4000,input=unit",
    };
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++) {
            char text[128];
            snprintf(text, sizeof text, "matmul:%s,%s", shapes[i], types[t]);
            expect(text, in_order, rounded, true, "a sum in order");
            expect(text, backwards_in_fours, rounded, true, "four sums");
            expect(text, as_tensor_core, rounded, true, "a sum that is cut off");
        }
}

static void test_short_cuts_do_not(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *what;
        sums *sum;
        puts_result *put;
    } cases[] = {
        {"m=40,n=50,k=300,input=unit", "a sum of 16 bits", in_half, rounded},
        {"m=40,n=50,k=300", "a sum of 16 bits", in_half, rounded},
        {"m=40,n=50,k=300,result=f32", "partial sums of 16 bits", halves_of_halves, rounded},
        {"m=40,n=50,k=300,input=integers", "partial sums of 16 bits", halves_of_halves, rounded},
        {"m=40,n=50,k=300,input=integers,result=f32", "a missing term", without_last_term, rounded},
        {"m=40,n=50,k=64,result=f32", "a missing term", without_last_term, rounded},
        {"m=40,n=50,k=300,result=f32", "elements with a digit less", from_shorter, rounded},
        {"m=40,n=50,k=300,input=integers,result=f32", "elements with a digit less", from_shorter, rounded},
        {"m=40,n=50,k=300,input=tiny", "subnormal elements taken for zeros", without_subnormals, rounded},
        {"m=40,n=50,k=3000,input=integers", "a result cut off", in_order, truncated},
    };
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            char text[128];
            snprintf(text, sizeof text, "matmul:%s,%s", cases[i].shape, types[t]);
            expect(text, cases[i].sum, cases[i].put, false, cases[i].what);
        }
    expect("matmul:m=40,n=50,k=300,input=huge,f16", in_order, saturated, false, "the largest number for infinity");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_right_answers_pass),
                                       cmocka_unit_test(test_short_cuts_do_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
