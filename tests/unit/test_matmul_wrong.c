/* The small problems of `uskor check matmul` refuse wrong products. */
#include "matmul_calls.h"

#include "base/size.h"

/* ---- what is done to right products --------------------------------------------------------------------------- */

static void swap_rows(const struct product *p)
{
    for (size_t col = 0; p->m > 1 && col < p->n; col++) {
        float kept = *element(p, 0, col);
        *element(p, 0, col) = *element(p, 1, col);
        *element(p, 1, col) = kept;
    }
}

static void swap_tiles(const struct product *p)
{
    for (size_t row = 0; row < 8 && p->m >= 8 && p->n >= 16; row++)
        for (size_t col = 0; col < 8; col++) {
            float kept = *element(p, row, col);
            *element(p, row, col) = *element(p, row, col + 8);
            *element(p, row, col + 8) = kept;
        }
}

static void flush_results(const struct product *p)
{
    for (size_t row = 0; row < p->m; row++)
        for (size_t col = 0; col < p->n; col++)
            *element(p, row, col) = flushed(*element(p, row, col));
}

static void turn_infinities(const struct product *p)
{
    for (size_t row = 0; row < p->m; row++)
        for (size_t col = 0; col < p->n; col++)
            if (isinf(*element(p, row, col)))
                *element(p, row, col) *= -1;
}

static void make_nan(const struct product *p)
{
    for (size_t row = 0; row < p->m; row++)
        for (size_t col = 0; col < p->n; col++)
            if (isinf(*element(p, row, col)))
                *element(p, row, col) = NAN;
}

static void spoil_one(const struct product *p)
{
    if (p->m > 0 && p->n > 0)
        *element(p, p->m / 2, p->n / 2) *= 1.0001f;
}

static void spoil_last_bit(const struct product *p)
{
    if (p->m > 0 && p->n > 0)
        *element(p, p->m / 2, p->n / 2) = nextafterf(*element(p, p->m / 2, p->n / 2), 1e30f);
}

static void forget_last_column(const struct product *p)
{
    for (size_t row = 0; row < p->m && p->n % 2; row++)
        memset(element(p, row, p->n - 1), 0xfe, sizeof(float));
}

/* ---- wrong products ------------------------------------------------------------------------------------------- */

enum { ALL, BUT_ONE = 1, BUT_REST = 4 };
enum { FACTORS, NO_ALPHA, NO_BETA, NO_TRANSPOSE_A };

static const struct {
    const char *name;
    term *of;
    void (*afterwards)(const struct product *p);
    int missing, ignored;
} wrongs[] = {
    {"all zero", of_zero, NULL, ALL, NO_BETA},
    {"bfloat16", bf16, NULL, ALL, FACTORS},
    {"A in bfloat16", bf16_a, NULL, ALL, FACTORS},
    {"B in bfloat16", bf16_b, NULL, ALL, FACTORS},
    {"two bfloat16 each", two_bf16, NULL, ALL, FACTORS},
    {"three products of bfloat16", three_products, NULL, ALL, FACTORS},
    {"three bfloat16 without the small products", three_parts_fewer_products, NULL, ALL, FACTORS},
    {"tf32", tf32, NULL, ALL, FACTORS},
    {"three products of tf32", three_tf32, NULL, ALL, FACTORS},
    {"half precision", half, NULL, ALL, FACTORS},
    {"subnormal A flushed", flush_a, NULL, ALL, FACTORS},
    {"subnormal B flushed", flush_b, NULL, ALL, FACTORS},
    {"subnormal terms flushed", flush_terms, NULL, ALL, FACTORS},
    {"subnormal results flushed", plain, flush_results, ALL, FACTORS},
    {"NaN and infinities lost", no_special, NULL, ALL, FACTORS},
    {"terms that saturate", only_finite, NULL, ALL, FACTORS},
    {"the other infinity", plain, turn_infinities, ALL, FACTORS},
    {"NaN for infinity", plain, make_nan, ALL, FACTORS},
    {"one depth missing", plain, NULL, BUT_ONE, FACTORS},
    {"the last depths missing", plain, NULL, BUT_REST, FACTORS},
    {"alpha ignored", plain, NULL, ALL, NO_ALPHA},
    {"beta ignored", plain, NULL, ALL, NO_BETA},
    {"A not transposed", plain, NULL, ALL, NO_TRANSPOSE_A},
    {"rows exchanged", plain, swap_rows, ALL, FACTORS},
    {"tiles exchanged", plain, swap_tiles, ALL, FACTORS},
    {"one element off by 1e-4", plain, spoil_one, ALL, FACTORS},
    {"one element's last bit wrong", plain, spoil_last_bit, ALL, FACTORS},
    {"an odd last column not written", plain, forget_last_column, ALL, FACTORS},
};

static void make_wrong(struct product p, size_t w)
{
    const struct product right = p;
    if (wrongs[w].ignored == NO_ALPHA)
        p.alpha = 1;
    if (wrongs[w].ignored == NO_BETA)
        p.beta = 0;
    if (wrongs[w].ignored == NO_TRANSPOSE_A && p.m == p.k)
        p.transa = false;
    size_t depth = product_depth(&right);
    depth -= wrongs[w].missing == BUT_ONE ? depth > 0 : wrongs[w].missing == BUT_REST ? depth % 4 : 0;
    struct operands o = gather(&p);
    multiply_by(o, wrongs[w].of, depth);
    release(o);
    if (wrongs[w].afterwards)
        wrongs[w].afterwards(&p);
}

static void test_wrong_products_fail(void **state)
{
    const struct kernel *kernel = kernel_by_name("matmul", NULL);
    bool refused[COUNT_OF(wrongs)] = {false};
    (void)state;
    for (size_t i = 0; i <= kernel->edge_cases_small; i++) {
        struct bench bench;
        struct check_result result;
        /* A square one: else a transpose that is left out reads beyond its rows. */
        open_bench(&bench, i < kernel->edge_cases_small ? kernel->edge_cases[i] : "matmul:m=9,n=7,k=9,transa=t");
        for (size_t w = 0; w < COUNT_OF(wrongs); w++) {
            if (bench.product.m * bench.product.n * bench.product.k > 2000000 && refused[w])
                continue;
            for (size_t b = 0; b < bench.product.batch; b++)
                make_wrong(product_at(&bench.product, b), w);
            refused[w] |= !passes(&bench, &result);
            restore(&bench);
        }
        close_bench(&bench);
    }
    for (size_t w = 0; w < COUNT_OF(wrongs); w++)
        if (!refused[w])
            FAIL_WITH("%s: not refused by any problem\n", wrongs[w].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_products_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
