/* Rungs that work only when they are checked: a time below the ceiling's is not a PASS, at any size, for memory and
 * arithmetic. No speed is asserted: a rung that does nothing beats every ceiling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lab/bench/bench.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "verdicts.h"

/* The first calls (of the verification) and the last ones work: those that find poison in the last byte. */
static bool is_poisoned(const struct run *run)
{
    const struct buffer *answer = &run->buffers[run->array_count - 1];
    const unsigned char last = ((const unsigned char *)answer->host)[answer->bytes - 1];
    return last == 0xFF || last == 0xFE;
}

static enum status lazy_transpose(struct run *run, struct error *error)
{
    const size_t rows = (size_t)problem_size(run->problem, "rows"), cols = (size_t)problem_size(run->problem, "cols");
    const float *source = run->buffers[0].host;
    float *target = run->buffers[1].host;
    (void)error;
    if (!is_poisoned(run))
        return STATUS_OK;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            target[c * rows + r] = source[r * cols + c];
    return STATUS_OK;
}

static void expect_no_pass(enum status (*enqueue)(struct run *, struct error *), const char *text)
{
    struct rung rung = {
        .name = "lazy", .idea = "only when watched", .kind = RUNG_HOST, .backends = BACKEND_CPU, .enqueue = enqueue};
    struct problem problem;
    struct device *device;
    struct error error = {""};
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_OK);
    assert_int_equal(device_open("cpu", &device, &error), STATUS_OK);
    struct candidate candidate;
    assert_int_equal(candidate_make(device, &rung, &problem, NULL, &candidate, &error), STATUS_OK);
    struct bench_options options = bench_defaults();
    options.seconds = 0.002;
    struct measurement_list list = {0};
    assert_int_equal(lab_bench(&problem, &candidate, 1, &options, &list, &error), STATUS_OK);
    expect_refusal(&list.items[list.count - 1]);
    measurement_list_free(&list);
    device_close(device);
}

static void no_cache_is_small_enough_to_cheat_in(void **state)
{
    (void)state;
    expect_no_pass(lazy_transpose, "transpose:rows=64,cols=32");
    expect_no_pass(lazy_transpose, "transpose:rows=512,cols=512");
    expect_no_pass(lazy_transpose, "transpose:rows=900,cols=700");
}

/* Row by row, as the reference adds. */
static enum status lazy_matmul(struct run *run, struct error *error)
{
    const size_t m = (size_t)problem_size(run->problem, "m"), n = (size_t)problem_size(run->problem, "n"),
                 k = (size_t)problem_size(run->problem, "k");
    const float *a = run->buffers[0].host, *b = run->buffers[1].host;
    float *c = run->buffers[2].host;
    (void)error;
    if (!is_poisoned(run))
        return STATUS_OK;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t l = 0; l < k; l++)
                sum += (double)a[i * k + l] * b[l * n + j];
            c[i * n + j] = (float)sum;
        }
    return STATUS_OK;
}

static void more_arithmetic_than_there_is_is_no_pass(void **state)
{
    (void)state;
    expect_no_pass(lazy_matmul, "matmul:m=128,n=128,k=128");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cache_is_small_enough_to_cheat_in),
        cmocka_unit_test(more_arithmetic_than_there_is_is_no_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
