/* The small problems of `uskor check matmul` refuse wrong products, and take right ones in any order. */
#include "matmul_bench.h"

#include <float.h>

#include "base/size.h"
#include "kernels/matmul/check.h"

/* ---- the product's parts -------------------------------------------------------------------------------------- */

/* op(A) and op(B) as rows without padding. */
struct operands {
    const struct product *p;
    float *a, *b;
};

static struct operands gather(const struct product *p)
{
    const float *a = p->a, *b = p->b;
    struct operands o = {p, malloc((p->m * p->k + 1) * sizeof(float)), malloc((p->k * p->n + 1) * sizeof(float))};
    for (size_t row = 0; row < p->m; row++)
        for (size_t k = 0; k < p->k; k++)
            o.a[row * p->k + k] = a[p->transa ? k * p->lda + row : row * p->lda + k];
    for (size_t k = 0; k < p->k; k++)
        for (size_t col = 0; col < p->n; col++)
            o.b[k * p->n + col] = b[p->transb ? col * p->ldb + k : k * p->ldb + col];
    return o;
}

static void release(struct operands o)
{
    free(o.a);
    free(o.b);
}

typedef double term(float a, float b);

/* Every element as alpha times a sum of `depth` terms in double, and beta·C. */
static void multiply_by(struct operands o, term *of, size_t depth)
{
    const struct product *p = o.p;
    for (size_t row = 0; row < p->m; row++)
        for (size_t col = 0; col < p->n; col++) {
            float *c = (float *)p->c + row * p->ldc + col;
            double sum = 0;
            for (size_t k = 0; k < depth; k++)
                sum += of(o.a[row * p->k + k], o.b[k * p->n + col]);
            *c = (float)((depth > 0 ? p->alpha * sum : 0) + (p->beta != 0 ? p->beta * (double)*c : 0));
        }
}

static float keep_bits(float value, unsigned dropped)
{
    uint32_t bits;
    if (!isfinite(value))
        return value;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits + (1u << (dropped - 1))) & ~((1u << dropped) - 1);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float flushed(float value)
{
    return fabsf(value) < FLT_MIN ? 0 : value;
}

/* ---- terms ---------------------------------------------------------------------------------------------------- */

static double plain(float a, float b)
{
    return (double)a * (double)b;
}

static double of_zero(float a, float b)
{
    (void)a, (void)b;
    return 0;
}

static double bf16(float a, float b)
{
    return plain(keep_bits(a, 16), keep_bits(b, 16));
}

static double bf16_a(float a, float b)
{
    return plain(keep_bits(a, 16), b);
}

static double bf16_b(float a, float b)
{
    return plain(a, keep_bits(b, 16));
}

static double two_bf16(float a, float b)
{
    return plain(keep_bits(a, 8), keep_bits(b, 8));
}

/* Three bfloat16 each, of whose nine products the three largest are taken. */
static double three_products(float a, float b)
{
    float high_a = keep_bits(a, 16), high_b = keep_bits(b, 16);
    double low_a = (double)a - (double)high_a, low_b = (double)b - (double)high_b;
    return plain(high_a, high_b) + (double)high_a * low_b + low_a * (double)high_b;
}

static double three_parts_fewer_products(float a, float b)
{
    float high_a = keep_bits(a, 16), high_b = keep_bits(b, 16);
    float middle_a = keep_bits(a - high_a, 16), middle_b = keep_bits(b - high_b, 16);
    return plain(high_a, high_b) + plain(high_a, middle_b) + plain(middle_a, high_b) + plain(middle_a, middle_b);
}

static double tf32(float a, float b)
{
    return plain(keep_bits(a, 13), keep_bits(b, 13));
}

static double three_tf32(float a, float b)
{
    float high_a = keep_bits(a, 13), high_b = keep_bits(b, 13);
    float low_a = keep_bits(a - high_a, 13), low_b = keep_bits(b - high_b, 13);
    return plain(high_a, high_b) + plain(high_a, low_b) + plain(low_a, high_b);
}

static float to_half(float value)
{
    return fabsf(value) >= 65520 ? copysignf(INFINITY, value) : fabsf(value) < 0x1p-25f ? 0 : keep_bits(value, 13);
}

static double half(float a, float b)
{
    return plain(to_half(a), to_half(b));
}

static double flush_a(float a, float b)
{
    return plain(flushed(a), b);
}

static double flush_b(float a, float b)
{
    return plain(a, flushed(b));
}

static double flush_terms(float a, float b)
{
    return (double)flushed(a * b);
}

static double no_special(float a, float b)
{
    return isfinite(a) && isfinite(b) ? plain(a, b) : 0;
}

static double only_finite(float a, float b)
{
    return fmin(fmax(plain(a, b), -(double)FLT_MAX), (double)FLT_MAX);
}

/* ---- what is done to right products --------------------------------------------------------------------------- */

static float *element(const struct product *p, size_t row, size_t col)
{
    return (float *)p->c + row * p->ldc + col;
}

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

static void make_wrong(const struct bench *bench, size_t w)
{
    struct product p = bench->product;
    if (wrongs[w].ignored == NO_ALPHA)
        p.alpha = 1;
    if (wrongs[w].ignored == NO_BETA)
        p.beta = 0;
    if (wrongs[w].ignored == NO_TRANSPOSE_A && p.m == p.k)
        p.transa = false;
    size_t depth = product_depth(&bench->product);
    depth -= wrongs[w].missing == BUT_ONE ? depth > 0 : wrongs[w].missing == BUT_REST ? depth % 4 : 0;
    struct operands o = gather(&p);
    multiply_by(o, wrongs[w].of, depth);
    release(o);
    if (wrongs[w].afterwards)
        wrongs[w].afterwards(&p);
}

static void restore(const struct bench *bench)
{
    memcpy(bench->output.data[2], bench->input.data[2], bench->arrays[2].bytes);
}

static void test_wrong_products_fail(void **state)
{
    const struct kernel *kernel = kernel_by_name("matmul", NULL);
    bool refused[COUNT_OF(wrongs)] = {false};
    (void)state;
    for (size_t i = 0; i <= kernel->awkward_small; i++) {
        struct bench bench;
        struct check_result result;
        /* A square one: else a transpose that is left out reads beyond its rows. */
        open_bench(&bench, i < kernel->awkward_small ? kernel->awkward[i] : "matmul:m=9,n=7,k=9,transa=t");
        for (size_t w = 0; w < COUNT_OF(wrongs); w++) {
            if (bench.product.m * bench.product.n * bench.product.k > 2000000 && refused[w])
                continue;
            make_wrong(&bench, w);
            refused[w] |= !passes(&bench, &result);
            restore(&bench);
        }
        close_bench(&bench);
    }
    for (size_t w = 0; w < COUNT_OF(wrongs); w++)
        if (!refused[w])
            FAIL_WITH("%s: not refused by any problem\n", wrongs[w].name);
}

/* ---- integers ------------------------------------------------------------------------------------------------- */

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
        cmocka_unit_test(test_wrong_products_fail),
        cmocka_unit_test(test_deep_integers_show_every_bit),
        cmocka_unit_test(test_one_element_of_many_is_found),
        cmocka_unit_test(test_integers_are_exact_at_every_depth),
        cmocka_unit_test(test_random_vectors_agree_with_elements),
        cmocka_unit_test(test_right_products_pass),
        cmocka_unit_test(test_constant_matrices_pass),
        cmocka_unit_test(test_a_device_that_flushes_is_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
