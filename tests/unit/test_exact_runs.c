/* Bench refuses what is within the tolerance of a problem's own inputs, at the size that it times: it brings inputs
 * with one right answer there, too. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_term_of_many_shows),
        cmocka_unit_test(the_last_digit_of_one_element_shows),
        cmocka_unit_test(the_last_digit_of_one_point_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
