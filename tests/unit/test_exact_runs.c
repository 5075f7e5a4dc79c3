/* Bench refuses what is within the tolerance of a problem's own inputs, or wrong for bits that they lack, at the size
 * that it times: it brings more telling inputs there, too. */
#include "cheats.h"

static double sum_of(const struct run *run, size_t n)
{
    const float *a = run->buffers[0].host, *b = run->buffers[1].host;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)a[i] * b[i];
    return sum;
}

static enum status gives(struct run *run, double sum)
{
    *(double *)run->buffers[2].host = sum;
    return STATUS_OK;
}

static enum status sums(struct run *run, struct error *error)
{
    (void)error;
    return gives(run, sum_of(run, (size_t)problem_size(run->problem, "n")));
}

/* Right at all sizes of the check's list but the largest. */
static enum status drops_the_last_of_many(struct run *run, struct error *error)
{
    (void)error;
    size_t n = (size_t)problem_size(run->problem, "n");
    return gives(run, sum_of(run, n > 70000 ? n - 1 : n));
}

/* A term in the middle counts twice. */
static enum status doubles_one_term(struct run *run, struct error *error)
{
    (void)error;
    const float *a = run->buffers[0].host, *b = run->buffers[1].host;
    size_t n = (size_t)problem_size(run->problem, "n");
    return gives(run, sum_of(run, n) + (double)a[n / 2] * b[n / 2]);
}

static void one_term_of_many_shows(void **state)
{
    (void)state;
    struct rung wrong = host_rung("drops", drops_the_last_of_many), twice = host_rung("twice", doubles_one_term);
    struct rung neighbour = host_rung("neighbour", sums);
    const struct rung *rungs[] = {&wrong, &neighbour, &twice};
    struct measurement_list list = bench_rungs("cpu", rungs, COUNT_OF(rungs), "dot:n=200003", false);
    expect_reason(&list.items[0], VERDICT_FAIL, "with input=integers,seed=");
    expect_reason(&list.items[1], VERDICT_PASS, "");
    expect_reason(&list.items[2], VERDICT_FAIL, "with input=integers,seed=");
    measurement_list_free(&list);
}

static void multiply(const struct run *run, float error_of_one)
{
    const float *a = run->buffers[0].host, *b = run->buffers[1].host;
    float *c = run->buffers[2].host;
    size_t n = (size_t)problem_size(run->problem, "n");
    for (size_t row = 0; row < n; row++)
        for (size_t col = 0; col < n; col++) {
            float sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += a[row * n + k] * b[k * n + col];
            c[row * n + col] = sum;
        }
    c[n * n / 2 + 1] *= 1 + error_of_one;
}

static enum status multiplies(struct run *run, struct error *error)
{
    (void)error;
    multiply(run, 0);
    return STATUS_OK;
}

/* By one unit of the last place. */
static enum status is_off_in_one_element(struct run *run, struct error *error)
{
    (void)error;
    multiply(run, 0x1p-23f);
    return STATUS_OK;
}

static void the_last_digit_of_one_element_shows(void **state)
{
    (void)state;
    struct rung wrong = host_rung("off", is_off_in_one_element), neighbour = host_rung("neighbour", multiplies);
    const struct rung *rungs[] = {&neighbour, &wrong};
    struct measurement_list list = bench_rungs("cpu", rungs, 2, "matmul:m=40,n=40,k=40", false);
    expect_reason(&list.items[0], VERDICT_PASS, "");
    expect_reason(&list.items[1], VERDICT_FAIL, "with input=integers,seed=");
    measurement_list_free(&list);
}

static const struct rung *waves;

/* By one unit of the last place, in a run of six steps. */
static enum status is_off_in_one_point(struct run *run, struct error *error)
{
    enum status status = waves->enqueue(run, error);
    float *result = run->buffers[2].host;
    size_t last = run->arrays[2].rows * run->arrays[2].cols - 1;
    result[last] *= 1 + 0x1p-23f;
    return status;
}

static void the_last_digit_of_one_point_shows(void **state)
{
    (void)state;
    struct error error;
    waves = rung_by_name(kernel_by_name("wave", &error), "serial", &error);
    assert_non_null(waves);
    struct rung wrong = *waves;
    strcpy(wrong.name, "off");
    wrong.enqueue = is_off_in_one_point;
    const struct rung *rungs[] = {waves, &wrong};
    struct measurement_list list = bench_rungs("cpu", rungs, 2, "wave:nx=20,ny=18,nz=14,steps=6", false);
    expect_reason(&list.items[0], VERDICT_PASS, "");
    expect_reason(&list.items[1], VERDICT_FAIL, "input=dyadic");
    expect_reason(&list.items[1], VERDICT_FAIL, "where nothing is rounded");
    measurement_list_free(&list);
}

/* A rung of the ladder, followed by `spoils`. */
static const struct rung *right_rung;
static void (*spoils)(uint32_t *words, size_t count);

static enum status is_spoilt(struct run *run, struct error *error)
{
    enum status status = right_rung->enqueue(run, error);
    int out = run->array_count - 1;
    spoils(run->buffers[out].host, run->arrays[out].bytes / 4);
    return status;
}

/* As a copy through the floating-point unit does it. */
static void quiet_nans(uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((words[i] & 0x7f800000) == 0x7f800000 && (words[i] & 0x7fffff) != 0)
            words[i] |= 0x400000;
}

/* -0 is not among uniform keys. */
static void lose_the_sign_of_zeros(uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = words[i] == 0x80000000 ? 0 : words[i];
}

static void cut_the_extremes(uint32_t *words, size_t count)
{
    static const unsigned char few[] = {0, 255, 1, 254};
    for (size_t i = 0; i < count; i++) {
        unsigned char *pixel = (unsigned char *)&words[i];
        if (memchr(few, pixel[0], 4) && memchr(few, pixel[1], 4) && memchr(few, pixel[2], 4))
            pixel[0] ^= 1;
    }
}

static void bits_that_the_inputs_lack_show(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *rung, *problem, *reason;
        void (*spoils)(uint32_t *words, size_t count);
    } cases[] = {
        {"transpose", "serial", "transpose:rows=70,cols=90", "with input=bits,seed=", quiet_nans},
        {"sort", "qsort", "sort:n=3000", "with input=special,seed=", lose_the_sign_of_zeros},
        {"resize", "parallel", "resize:width=20,height=10", "with input=checkerboard,seed=", cut_the_extremes},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct error error;
        right_rung = rung_by_name(kernel_by_name(cases[i].kernel, &error), cases[i].rung, &error);
        spoils = cases[i].spoils;
        struct rung wrong = *right_rung;
        strcpy(wrong.name, "spoilt");
        wrong.enqueue = is_spoilt;
        const struct rung *rungs[] = {&wrong};
        struct measurement_list list = bench_rungs("cpu", rungs, 1, cases[i].problem, false);
        expect_reason(&list.items[0], VERDICT_FAIL, cases[i].reason);
        measurement_list_free(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_term_of_many_shows),
        cmocka_unit_test(the_last_digit_of_one_element_shows),
        cmocka_unit_test(the_last_digit_of_one_point_shows),
        cmocka_unit_test(bits_that_the_inputs_lack_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
