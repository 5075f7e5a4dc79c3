/* The check of the matrix product takes right ones in any order, and its two ways of judging agree: with each
 * instruction set of this processor. */
#include "matmul_calls.h"

#include "backends/cpu/isa.h"
#include "base/size.h"
#include "kernels/matmul/check.h"

/* ---- random vectors and elements ------------------------------------------------------------------------------ */

/* Both judge by the same tolerance: neither takes zeros, also where numbers are tiny, and both take right results. */
static void test_random_vectors_agree_with_elements(void **state)
{
    static const char *const texts[] = {
        "matmul:m=40,n=50,k=60",
        "matmul:m=40,n=50,k=60,input=unit",
        "matmul:m=40,n=50,k=300,input=tiny",
        "matmul:m=40,n=50,k=60,input=wide",
        "matmul:m=40,n=50,k=60,input=huge",
        "matmul:m=40,n=50,k=60,beta=1,alpha=0.3",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int vectors = 0; vectors < 2; vectors++) {
            struct bench bench;
            struct check_result result;
            open_bench(&bench, texts[i]);
            check_exact_operations = vectors ? 0 : 0x1p31;
            struct operands o = gather(&bench.product);
            multiply_by(o, plain, bench.product.k);
            if (!passes(&bench, &result))
                FAIL_WITH("%s: %s\n", texts[i], result.reason);
            for (size_t row = 0; row < bench.product.m; row++)
                memset(element(&bench.product, row, 0), 0, bench.product.n * sizeof(float));
            assert_false(passes(&bench, &result));
            restore(&bench);
            multiply_by(o, plain, bench.product.k / 2);
            assert_false(passes(&bench, &result));
            release(o);
            close_bench(&bench);
        }
    check_exact_operations = 0x1p31;
}

/* ---- right products ------------------------------------------------------------------------------------------- */

static float sequential(const struct operands *o, size_t row, size_t col)
{
    float sum = 0;
    for (size_t k = 0; k < o->p->k; k++)
        sum += o->a[row * o->p->k + k] * o->b[k * o->p->n + col];
    return sum;
}

static float backwards_fused(const struct operands *o, size_t row, size_t col)
{
    float sum = 0;
    for (size_t k = o->p->k; k-- > 0;)
        sum = fmaf(o->a[row * o->p->k + k], o->b[k * o->p->n + col], sum);
    return sum;
}

static float in_blocks(const struct operands *o, size_t row, size_t col)
{
    float sum = 0;
    for (size_t from = 0; from < o->p->k; from += 32) {
        float part = 0;
        for (size_t k = from; k < from + 32 && k < o->p->k; k++)
            part += o->a[row * o->p->k + k] * o->b[k * o->p->n + col];
        sum += part;
    }
    return sum;
}

static float pairwise(const struct operands *o, size_t row, size_t col, size_t from, size_t to)
{
    if (to - from == 1)
        return o->a[row * o->p->k + from] * o->b[from * o->p->n + col];
    size_t middle = from + (to - from) / 2;
    return pairwise(o, row, col, from, middle) + pairwise(o, row, col, middle, to);
}

static float in_pairs(const struct operands *o, size_t row, size_t col)
{
    return pairwise(o, row, col, 0, o->p->k);
}

static float (*const rights[])(const struct operands *o, size_t row, size_t col) = {sequential, backwards_fused,
                                                                                    in_blocks, in_pairs};

/* A long campaign with USKOR_LONG=1. */
static void test_right_products_pass(void **state)
{
    static const char *const inputs[] = {"signed", "unit", "wide", "special", "integers", "tiny", "huge"};
    static const int depths[] = {1, 2, 7, 33, 260, 1500};
    int seeds = getenv("USKOR_LONG") ? 200 : 1;
    double worst = 0;
    (void)state;
    for (int seed = 1; seed <= seeds; seed++)
        for (size_t d = 0; d < COUNT_OF(depths); d++)
            for (size_t i = 0; i < COUNT_OF(inputs); i++) {
                struct bench bench;
                struct check_result result;
                char text[96];
                snprintf(text, sizeof text, "matmul:m=11,n=13,k=%d,input=%s,seed=%d", depths[d], inputs[i], seed);
                open_bench(&bench, text);
                struct operands o = gather(&bench.product);
                for (size_t r = 0; r < COUNT_OF(rights); r++) {
                    for (size_t row = 0; row < 11; row++)
                        for (size_t col = 0; col < 13; col++)
                            *element(&bench.product, row, col) = rights[r](&o, row, col);
                    if (!passes(&bench, &result))
                        FAIL_WITH("%s, way %zu: %s\n", text, r, result.reason);
                    worst = fmax(worst, result.worst);
                }
                release(o);
                close_bench(&bench);
            }
    print_message("right products take %.2f of what is allowed, at most\n", worst);
}

/* Somebody's matrices may be all alike, and all roundings in one direction. */
static void test_constant_matrices_pass(void **state)
{
    (void)state;
    for (int k = 100; k < 200000; k *= 3) {
        struct bench bench;
        char text[64];
        snprintf(text, sizeof text, "matmul:m=2,n=3,k=%d", k);
        open_bench(&bench, text);
        struct operands o = gather(&bench.product);
        for (int i = 0; i < 2 * k; i++)
            ((float *)bench.input.data[0])[i] = o.a[i] = 0.1f;
        for (int i = 0; i < 3 * k; i++)
            ((float *)bench.input.data[1])[i] = o.b[i] = 0.7f;
        for (size_t row = 0; row < 2; row++)
            for (size_t col = 0; col < 3; col++)
                *element(&bench.product, row, col) = sequential(&o, row, col);
        struct check_result result = {.own_data = true};
        matmul_check(&bench.problem, bench.arrays, bench.input, bench.output, &result);
        if (!result.passed)
            FAIL_WITH("%s: %s\n", text, result.reason);
        release(o);
        close_bench(&bench);
    }
}

/* Structured matrices are alike, too, where a factor multiplies A before the sum, and the sum begins with beta C. */
static void test_structured_products_pass(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 40; seed++) {
        struct bench bench;
        char text[128];
        snprintf(text, sizeof text,
                 "matmul:m=8,n=9,k=3586,alpha=-0.21609877788243814,beta=-0.21609877788243814,seed=%d,%s", seed,
                 "input=structured");
        open_bench(&bench, text);
        const float alpha = (float)bench.product.alpha, beta = (float)bench.product.beta;
        struct operands o = gather(&bench.product);
        for (size_t row = 0; row < 8; row++)
            for (size_t col = 0; col < 9; col++) {
                float sum = beta * ((const float *)bench.input.data[2])[row * 9 + col];
                for (size_t k = 0; k < 3586; k++)
                    sum += alpha * o.a[row * 3586 + k] * o.b[k * 9 + col];
                *element(&bench.product, row, col) = sum;
            }
        struct check_result result;
        if (!passes(&bench, &result))
            FAIL_WITH("%s: %s\n", text, result.reason);
        release(o);
        close_bench(&bench);
    }
}

/* A device that declares that it flushes is not asked; others are held to what IEEE 754 says. */
static void test_a_device_that_flushes_is_not_judged(void **state)
{
    static const char *const texts[] = {"matmul:input=tiny", "matmul:input=huge", "dot:input=tiny"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct error error;
        struct problem problem;
        struct parameters parameters;
        char reason[256] = "";
        struct device *device;
        assert_int_equal(problem_parse(texts[i], &problem, &error), STATUS_OK);
        assert_int_equal(device_open("cpu", &device, &error), STATUS_OK);
        struct device other = *device;
        const struct rung *rung = problem.kernel->ladder[0].rung;
        assert_int_equal(rung_defaults(rung, &problem, &parameters, &error), STATUS_OK);
        assert_null(rung_refuses(rung, &problem, &other, &parameters, reason, sizeof reason));
        other.properties.flushes_subnormals = true;
        assert_non_null(strstr(rung_refuses(rung, &problem, &other, &parameters, reason, sizeof reason), "subnormal"));
        device_close(device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_vectors_agree_with_elements),
        cmocka_unit_test(test_right_products_pass),
        cmocka_unit_test(test_constant_matrices_pass),
        cmocka_unit_test(test_structured_products_pass),
        cmocka_unit_test(test_a_device_that_flushes_is_not_judged),
    };
    int failed = 0;
    for (int isa = CPU_ISA_BASE; isa <= CPU_ISA_NEON; isa++) {
        setenv("USKOR_ISA", cpu_isa_name((enum cpu_isa)isa), 1);
        cpu_isa_forget();
        if (cpu_isa() == (enum cpu_isa)isa)
            failed += cmocka_run_group_tests_name(cpu_isa_name((enum cpu_isa)isa), tests, NULL, NULL);
    }
    return failed;
}
