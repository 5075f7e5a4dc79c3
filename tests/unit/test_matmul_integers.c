/* Products of integers are right in exactly one way, and judged so. */
#include "matmul_calls.h"

#include "base/size.h"
#include "kernels/matmul/check.h"

/* Deep products are where rounded inputs used to hide; every one is right in exactly one way. */
static void test_deep_integers_show_every_bit(void **state)
{
    static term *const terms[] = {two_bf16,  tf32, bf16_a, bf16_b, three_products, three_parts_fewer_products,
                                  three_tf32};
    (void)state;
    for (int seed = 1; seed <= 2; seed++)
        for (int k = 4001; k <= 13000; k *= 3) {
            struct bench bench;
            struct check_result result;
            char text[96];
            snprintf(text, sizeof text, "matmul:m=6,n=7,k=%d,input=integers,seed=%d", k, seed);
            open_bench(&bench, text);
            struct operands o = gather(&bench.product);
            multiply_by(o, plain, bench.product.k);
            assert_true(passes(&bench, &result));
            assert_true(result.exact);
            for (size_t t = 0; t < COUNT_OF(terms); t++) {
                multiply_by(o, terms[t], bench.product.k);
                if (passes(&bench, &result))
                    FAIL_WITH("%s: way %zu passes\n", text, t);
            }
            release(o);
            close_bench(&bench);
        }
}

/* A product that is judged by integers modulo 2^64, whoever is wrong in it. */
static void test_one_element_of_many_is_found(void **state)
{
    static const char *const texts[] = {"matmul:m=300,n=270,k=301,input=integers",
                                        "matmul:m=302,n=310,k=300,alpha=-1,beta=2,transa=t,ldc_pad=1,input=integers"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct bench bench;
        struct check_result result;
        open_bench(&bench, texts[i]);
        struct operands o = gather(&bench.product);
        multiply_by(o, plain, bench.product.k);
        release(o);
        assert_true(passes(&bench, &result));
        assert_true(result.exact);
        for (size_t at = 0; at < 4; at++) {
            float *c = element(&bench.product, at * 95 + 3, at * 83 + 7), right = *c;
            const float wrong[] = {
                nextafterf(right, 1e9f), right + 1, right * 1.0001f + 1e-4f, -right, 0, NAN, INFINITY, right + 0x1p23f};
            for (size_t w = 0; w < COUNT_OF(wrong); w++) {
                *c = wrong[w];
                if (wrong[w] != right && passes(&bench, &result))
                    FAIL_WITH("%s: %.9g passes for %.9g\n", texts[i], (double)wrong[w], (double)right);
            }
            *c = right;
        }
        assert_true(passes(&bench, &result));
        close_bench(&bench);
    }
}

static void test_integers_are_exact_at_every_depth(void **state)
{
    static const char *const types[] = {"f32", "f64"};
    (void)state;
    for (int k = 1; k < 2500000; k = k * 3 + k % 4)
        for (int type = 0; type < 2; type++) {
            struct bench bench;
            char text[96];
            snprintf(text, sizeof text, "matmul:m=3,n=2,k=%d,input=integers,seed=%d,%s", k, k % 5 + 1, types[type]);
            open_bench(&bench, text);
            struct trial trial = {.product = bench.product};
            check_find_units(&trial);
            if (!trial.exact)
                FAIL_WITH("%s\n", text);
            close_bench(&bench);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deep_integers_show_every_bit),
        cmocka_unit_test(test_one_element_of_many_is_found),
        cmocka_unit_test(test_integers_are_exact_at_every_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
