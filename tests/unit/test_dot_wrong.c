/* The problems of `uskor check dot` refuse wrong sums, whatever their authors state, and take right ones in any order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "kernels/dot/check.h"
#include "kernels/dot/dot.h"

struct vectors {
    const float *a, *b;
    size_t n;
};

/* One accumulator of floats, as `serial`: the worst of all right ways. */
static float sequential(const float *a, const float *b, size_t n)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ---- wrong ways ----------------------------------------------------------------------------------------------- */

static float keep_bits(float value, unsigned dropped)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (dropped && isfinite(value))
        bits = (bits + (1u << (dropped - 1))) & ~((1u << dropped) - 1);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* In double, with a's and b's floats rounded to fewer bits. */
static double narrowed(struct vectors v, unsigned dropped_a, unsigned dropped_b)
{
    double sum = 0;
    for (size_t i = 0; i < v.n; i++)
        sum += (double)keep_bits(v.a[i], dropped_a) * (double)keep_bits(v.b[i], dropped_b);
    return sum;
}

static double zero(struct vectors v)
{
    return v.n ? 0 : 1;
}

static double half(struct vectors v)
{
    return narrowed(v, 0, 0) / 2 + (v.n == 0);
}

static double no_tail(struct vectors v)
{
    v.n -= v.n % 4;
    return narrowed(v, 0, 0);
}

static double no_last(struct vectors v)
{
    v.n -= v.n > 0;
    return narrowed(v, 0, 0);
}

static double one_missing(struct vectors v)
{
    size_t missing = v.n / 3;
    return narrowed(v, 0, 0) - (v.n ? (double)v.a[missing] * (double)v.b[missing] : 0);
}

static double a_block_missing(struct vectors v)
{
    struct vectors first = v, last = v;
    first.n = v.n / 2;
    last.n = v.n - first.n;
    size_t skipped = last.n < 256 ? last.n : 256;
    last.a += first.n + skipped;
    last.b += first.n + skipped;
    last.n -= skipped;
    return narrowed(first, 0, 0) + narrowed(last, 0, 0);
}

static double bf16_a(struct vectors v)
{
    return narrowed(v, 16, 0);
}

static double bf16_b(struct vectors v)
{
    return narrowed(v, 0, 16);
}

static double tf32(struct vectors v)
{
    return narrowed(v, 13, 13);
}

static double two_bf16(struct vectors v)
{
    return narrowed(v, 8, 8);
}

static double flushed(double value)
{
    return fabs(value) < 0x1p-126 ? 0 : value;
}

static double flushes_inputs(struct vectors v)
{
    double sum = 0;
    for (size_t i = 0; i < v.n; i++)
        sum += flushed((double)v.a[i]) * flushed((double)v.b[i]);
    return sum;
}

static double flushes_products(struct vectors v)
{
    double sum = 0;
    for (size_t i = 0; i < v.n; i++)
        sum += flushed((double)v.a[i] * (double)v.b[i]);
    return sum;
}

static double swapped_neighbours(struct vectors v)
{
    double sum = 0;
    for (size_t i = 0; i < v.n; i++)
        sum += (double)v.a[i] * (double)v.b[(i ^ 1) < v.n ? i ^ 1 : i];
    return sum;
}

static double unsigned_terms(struct vectors v)
{
    double sum = 0;
    for (size_t i = 0; i < v.n; i++)
        sum += fabs((double)v.a[i] * (double)v.b[i]);
    return sum;
}

static double half_precision_sum(struct vectors v)
{
    double sum = 0;
    for (size_t i = 0; i < v.n; i++)
        sum = (double)keep_bits((float)(sum + (double)v.a[i] * (double)v.b[i]), 13);
    return sum;
}

static double no_infinity(struct vectors v)
{
    double sum = 0;
    for (size_t i = 0; i < v.n; i++)
        sum += isfinite(v.a[i]) ? (double)v.a[i] * (double)v.b[i] : 0;
    return sum;
}

static double other_infinity(struct vectors v)
{
    double sum = narrowed(v, 0, 0);
    return isinf(sum) ? -sum : sum;
}

static double other_nan(struct vectors v)
{
    double sum = narrowed(v, 0, 0);
    return isinf(sum) ? (double)NAN : sum;
}

/* The effect of a wrong scaling. */
static double smaller_range(struct vectors v)
{
    double sum = 0;
    for (size_t i = 0; i < v.n; i++)
        sum += fabs((double)v.a[i]) < 0x1p64 && fabs((double)v.b[i]) < 0x1p64 ? (double)v.a[i] * (double)v.b[i] : 0;
    return sum;
}

static const struct {
    const char *name;
    double (*sum)(struct vectors v);
} wrongs[] = {
    {"0", zero},
    {"half of the sum", half},
    {"without the last n % 4", no_tail},
    {"without the last one", no_last},
    {"without one", one_missing},
    {"without 256", a_block_missing},
    {"a in bfloat16", bf16_a},
    {"b in bfloat16", bf16_b},
    {"both in tf32", tf32},
    {"two bfloat16 each", two_bf16},
    {"subnormal inputs flushed", flushes_inputs},
    {"subnormal products flushed", flushes_products},
    {"neighbours swapped", swapped_neighbours},
    {"magnitudes", unsigned_terms},
    {"a sum of 11 bits", half_precision_sum},
    {"infinities left out", no_infinity},
    {"the other infinity", other_infinity},
    {"NaN for infinity", other_nan},
    {"large numbers left out", smaller_range},
};

/* ---- problems ------------------------------------------------------------------------------------------------- */

struct data {
    struct problem problem;
    struct vectors vectors;
    struct dot_reference reference;
};

static void open_data(struct data *data, const char *text)
{
    struct error error = {{0}};
    struct array arrays[KERNEL_ARRAYS_MAX] = {{0}};
    int count;
    if (problem_parse(text, &data->problem, &error) != STATUS_OK ||
        kernel_describe(&data->problem, arrays, &count, &error) != STATUS_OK)
        FAIL_WITH("%s: %s\n", text, error.text);
    size_t n = arrays[0].cols;
    float *a = malloc((n + 1) * sizeof *a), *b = malloc((n + 1) * sizeof *b);
    data->problem.kernel->fill(&data->problem, arrays, (struct host_arrays){{a, b}});
    data->vectors = (struct vectors){a, b, n};
    dot_refer(ELEMENT_F32, a, b, n, &data->reference);
}

static void close_data(struct data *data)
{
    free((void *)data->vectors.a);
    free((void *)data->vectors.b);
}

/* By the loosest thing that can be stated. */
static bool passes(struct data *data, double sum)
{
    struct check_result result = {.bound = 1e9};
    dot_judge(&data->reference, sum, &result);
    return result.passed;
}

/* ---- tests ---------------------------------------------------------------------------------------------------- */

/* By the problems of up to 2^17 elements, which `uskor check dot --small` has too. */
static void test_wrong_sums_fail(void **state)
{
    const struct kernel *kernel = kernel_by_name("dot", NULL);
    bool refused[COUNT_OF(wrongs)] = {false};
    (void)state;
    for (size_t i = 0; i < kernel->edge_cases_small; i++) {
        struct data data;
        open_data(&data, kernel->edge_cases[i]);
        for (size_t w = 0; w < COUNT_OF(wrongs); w++)
            refused[w] |= !passes(&data, wrongs[w].sum(data.vectors));
        close_data(&data);
    }
    for (size_t w = 0; w < COUNT_OF(wrongs); w++)
        if (!refused[w])
            FAIL_WITH("%s: not refused by any problem\n", wrongs[w].name);
}

/* Code that skips zeros looks for them in one of the vectors. */
static double skips_zeros_of_a(struct vectors v)
{
    double sum = 0;
    for (size_t i = 0; i < v.n; i++)
        sum += v.a[i] != 0 ? (double)v.a[i] * (double)v.b[i] : 0;
    return sum;
}

static double skips_zeros_of_b(struct vectors v)
{
    return skips_zeros_of_a((struct vectors){v.b, v.a, v.n});
}

static void test_zeros_are_not_skipped(void **state)
{
    const struct kernel *kernel = kernel_by_name("dot", NULL);
    bool refused_a = false, refused_b = false;
    (void)state;
    for (size_t i = 0; kernel->edge_cases[i]; i++) {
        struct data data;
        if (!strstr(kernel->edge_cases[i], "special"))
            continue;
        open_data(&data, kernel->edge_cases[i]);
        refused_a |= !passes(&data, skips_zeros_of_a(data.vectors));
        refused_b |= !passes(&data, skips_zeros_of_b(data.vectors));
        close_data(&data);
    }
    assert_true(refused_a);
    assert_true(refused_b);
}

/* At 2^24 elements, where a float's sum has no digit to spare. */
static void test_one_of_many_is_not_lost(void **state)
{
    static const char *const texts[] = {"dot:n=16777216,input=integers", "dot:n=33000001,input=integers,seed=5"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct data data;
        open_data(&data, texts[i]);
        double right = (double)sequential(data.vectors.a, data.vectors.b, data.vectors.n);
        assert_true(dot_is_exact(&data.reference));
        assert_true(passes(&data, right));
        for (int off = 1; off <= 1 << 20; off *= 32) {
            assert_false(passes(&data, right + off));
            assert_false(passes(&data, right - off));
        }
        assert_false(passes(&data, nextafter(right, 1e9)));
        close_data(&data);
    }
}

/* The default data, and whatever is stated: neither 0, nor a half, nor a sum with an eighth missing. */
static void test_nothing_stated_excuses_a_lost_part(void **state)
{
    static const size_t sizes[] = {1, 3, 1000, 1 << 20, 1 << 24};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct data data;
        char text[64];
        snprintf(text, sizeof text, "dot:n=%zu", sizes[i]);
        open_data(&data, text);
        double right = dot_reference_value(&data.reference);
        assert_true(passes(&data, (double)sequential(data.vectors.a, data.vectors.b, data.vectors.n)));
        assert_false(passes(&data, 0));
        assert_false(passes(&data, right / 2));
        assert_false(passes(&data, right * 7 / 8));
        assert_false(passes(&data, right * 9 / 8));
        close_data(&data);
    }
}

static void test_integers_are_exact_at_every_size(void **state)
{
    (void)state;
    for (size_t n = 1; n <= (size_t)1 << 21; n = n * 2 + n % 3)
        for (int seed = 1; seed <= 3; seed++) {
            struct data data;
            char text[64];
            snprintf(text, sizeof text, "dot:n=%zu,input=integers,seed=%d", n, seed);
            open_data(&data, text);
            if (!dot_is_exact(&data.reference) || dot_reference_value(&data.reference) == 0)
                FAIL_WITH("%s\n", text);
            close_data(&data);
        }
}

/* ---- right ways ----------------------------------------------------------------------------------------------- */

static float pairwise(const float *a, const float *b, size_t n)
{
    return n <= 8 ? sequential(a, b, n) : pairwise(a, b, n / 2) + pairwise(a + n / 2, b + n / 2, n - n / 2);
}

static float backwards_fused(const float *a, const float *b, size_t n)
{
    float sum = 0;
    while (n-- > 0)
        sum = fmaf(a[n], b[n], sum);
    return sum;
}

static float in_lanes(const float *a, const float *b, size_t n)
{
    float sums[16] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        sums[i % 16] += a[i] * b[i];
    for (int lane = 0; lane < 16; lane++)
        sum += sums[lane];
    return sum;
}

static float in_doubles(const float *a, const float *b, size_t n)
{
    return (float)narrowed((struct vectors){a, b, n}, 0, 0);
}

static float (*const rights[])(const float *a, const float *b, size_t n) = {sequential, pairwise, backwards_fused,
                                                                            in_lanes, in_doubles};

/* A long campaign with USKOR_LONG=1; the margin is how many times the error could have been as large. */
static void test_right_sums_pass(void **state)
{
    static const char *const inputs[] = {"unit", "signed", "wide", "special", "integers", "tiny", "huge"};
    static const size_t sizes[] = {1, 2, 3, 17, 130, 1001, 10007, 100003};
    int seeds = getenv("USKOR_LONG") ? 500 : 6;
    double margin = INFINITY;
    (void)state;
    for (int seed = 1; seed <= seeds; seed++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++)
            for (size_t i = 0; i < COUNT_OF(inputs); i++) {
                struct data data;
                char text[96];
                snprintf(text, sizeof text, "dot:n=%zu,input=%s,seed=%d", sizes[s], inputs[i], seed);
                open_data(&data, text);
                double exact = dot_reference_value(&data.reference);
                for (size_t r = 0; r < COUNT_OF(rights); r++) {
                    double sum = (double)rights[r](data.vectors.a, data.vectors.b, data.vectors.n), factor = 1;
                    if (!passes(&data, sum))
                        FAIL_WITH("%s, way %zu: %.9g, not %.9g\n", text, r, sum, exact);
                    while (isfinite(sum) && sum != exact && factor < margin &&
                           passes(&data, exact + (sum - exact) * factor * 1.25))
                        factor *= 1.25;
                    margin = isfinite(sum) && sum != exact ? fmin(margin, factor) : margin;
                }
                close_data(&data);
            }
    print_message("right sums use 1/%.1f of what is allowed, at most\n", margin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_sums_fail),
        cmocka_unit_test(test_zeros_are_not_skipped),
        cmocka_unit_test(test_one_of_many_is_not_lost),
        cmocka_unit_test(test_nothing_stated_excuses_a_lost_part),
        cmocka_unit_test(test_integers_are_exact_at_every_size),
        cmocka_unit_test(test_right_sums_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
