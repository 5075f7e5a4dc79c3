/* The lab must find every way in which a rung can be wrong: rungs that are wrong on purpose, held against it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "between.h"
#include "verdicts.h"
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include "base/size.h"
#include "lab/bench/bench.h"
#include "lab/bench/overhead.h"
#include "lab/bench/sweep.h"
#include "lab/verification/check.h"
#include "lab/verification/workspace.h"
#include "store/noise.h"

static size_t rows_of(const struct run *run)
{
    return (size_t)problem_size(run->problem, "rows");
}

static size_t cols_of(const struct run *run)
{
    return (size_t)problem_size(run->problem, "cols");
}

/* A right transpose of 4-byte elements, from which each wrong one differs in one thing. */
static enum status right(struct run *run, struct error *error)
{
    (void)error;
    const uint32_t *in = run->buffers[0].host;
    uint32_t *out = run->buffers[1].host;
    for (size_t row = 0; row < rows_of(run); row++)
        for (size_t col = 0; col < cols_of(run); col++)
            out[col * rows_of(run) + row] = in[row * cols_of(run) + col];
    return STATUS_OK;
}

static enum status leaves_one_out(struct run *run, struct error *error)
{
    uint32_t *out = run->buffers[1].host;
    size_t last = rows_of(run) * cols_of(run) - 1;
    uint32_t kept = out[last];
    enum status status = right(run, error);
    out[last] = kept;
    return status;
}

static enum status swaps_two(struct run *run, struct error *error)
{
    enum status status = right(run, error);
    uint32_t *out = run->buffers[1].host, first = out[0];
    out[0] = out[1];
    out[1] = first;
    return status;
}

static enum status writes_past_the_end(struct run *run, struct error *error)
{
    uint32_t *out = run->buffers[1].host;
    out[rows_of(run) * cols_of(run)] = 1;
    return right(run, error);
}

static enum status writes_before_the_start(struct run *run, struct error *error)
{
    unsigned char *out = run->buffers[1].host;
    out[-1] ^= 1;
    return right(run, error);
}

static enum status changes_its_input(struct run *run, struct error *error)
{
    enum status status = right(run, error);
    uint32_t *in = run->buffers[0].host;
    in[7] ^= 1;
    return status;
}

static int runs_so_far;

/* Right when it is first looked at, and idle afterwards: what is left in the output must not count. */
static enum status stops_working(struct run *run, struct error *error)
{
    return runs_so_far++ == 0 ? right(run, error) : STATUS_OK;
}

static enum status breaks(struct run *run, struct error *error)
{
    (void)run;
    return fail(error, STATUS_SYSTEM, "it broke");
}

static struct rung rung_of(enum status (*enqueue)(struct run *, struct error *))
{
    return (struct rung){
        .name = "trial", .idea = "a trial", .kind = RUNG_HOST, .backends = BACKEND_CPU, .enqueue = enqueue};
}

static void parse(const char *text, struct problem *problem)
{
    struct error error = {""};
    if (problem_parse(text, problem, &error) != STATUS_OK)
        FAIL_WITH("%s", error.text);
}

static struct measurement_list bench_one(const struct rung *rung, const char *text, double seconds)
{
    struct problem problem;
    struct device *device;
    struct error error = {""};
    parse(text, &problem);
    assert_int_equal(device_open("cpu", &device, &error), STATUS_OK);
    struct candidate candidate;
    assert_int_equal(candidate_make(device, rung, &problem, NULL, &candidate, &error), STATUS_OK);
    struct bench_options options = bench_defaults();
    options.seconds = seconds;
    struct measurement_list list = {0};
    assert_int_equal(lab_bench(&problem, &candidate, 1, &options, &list, &error), STATUS_OK);
    device_close(device);
    return list;
}

static void expect_verdict(enum status (*enqueue)(struct run *, struct error *), enum verdict verdict, const char *word)
{
    struct rung rung = rung_of(enqueue);
    struct measurement_list list = bench_one(&rung, "transpose:rows=64,cols=96", 0.005);
    assert_int_equal(list.count, 2); /* the ceiling's probe, and the trial */
    const struct measurement *measurement = &list.items[1];
    expect_reason(measurement, verdict, word);
    if (verdict != VERDICT_PASS) {
        assert_int_equal(measurement->phases[PHASE_COMPUTE].count, 0);
        /* Nobody interrupted the probe: where it was not timed, there was nothing for it to be the ceiling of. */
        if (!list.items[0].phases[PHASE_COMPUTE].count)
            assert_non_null(strstr(list.items[0].reason, "no rung passed"));
    }
    measurement_list_free(&list);
}

static void test_right_passes(void **state)
{
    (void)state;
    struct rung rung = rung_of(right);
    struct measurement_list list = bench_one(&rung, "transpose:rows=64,cols=96", 0.01);
    const struct measurement *measurement = &list.items[1];
    expect_reason(measurement, VERDICT_PASS, "");
    assert_string_equal(measurement->problem, "transpose:rows=64,cols=96,f32");
    assert_true(measurement->phases[PHASE_COMPUTE].count >= 1);
    assert_true(measurement->batch >= 1);
    assert_true(measurement->bytes == 2.0 * 64 * 96 * 4);
    assert_ptr_equal(measurement_ceiling(&list, measurement), &list.items[0]);
    const struct measured_ratio share = measurement_compare(measurement, &list.items[0]);
    assert_true(share.is_void != (share.value > 0)); /* a loaded machine voids it */
    measurement_list_free(&list);
}

static void test_wrong_is_found(void **state)
{
    (void)state;
    expect_verdict(leaves_one_out, VERDICT_FAIL, "");
    expect_verdict(swaps_two, VERDICT_FAIL, "");
    expect_verdict(writes_past_the_end, VERDICT_FAIL, "past the end of array 'out'");
    expect_verdict(writes_before_the_start, VERDICT_FAIL, "before the start of array 'out'");
    expect_verdict(changes_its_input, VERDICT_FAIL, "changed its input 'in'");
    expect_verdict(breaks, VERDICT_ERROR, "it broke");
    runs_so_far = 0;
    expect_verdict(stops_working, VERDICT_FAIL, "in a timed run");
}

static const char *never(const struct problem *problem, const struct device *device,
                         const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)device, (void)parameters, (void)reason, (void)size;
    return "not today";
}

static void test_refusal_is_a_skip(void **state)
{
    (void)state;
    struct rung rung = rung_of(right);
    rung.supports = never;
    struct measurement_list list = bench_one(&rung, "transpose:rows=4,cols=4", 0.001);
    expect_reason(&list.items[1], VERDICT_SKIP, "not today");
    measurement_list_free(&list);
}

/* Whether leaving everything as it is answers the problem: nothing to write, or an array that is sorted already. */
static bool is_answered_by_nothing(const struct problem *problem)
{
    struct dataset data;
    struct error error = {""};
    struct check_result result = {0};
    assert_int_equal(dataset_create(problem, &data, &error), STATUS_OK);
    for (int i = 0; i < data.array_count; i++) {
        if (data.arrays[i].direction == ARRAY_INOUT)
            memcpy(data.output.data[i], data.input.data[i], data.arrays[i].bytes);
        else if (data.arrays[i].direction == ARRAY_OUT)
            memset(data.output.data[i], 0xFF, data.arrays[i].bytes);
    }
    problem->kernel->check(problem, data.arrays, data.input, data.output, &result);
    dataset_destroy(&data);
    return result.passed;
}

static void handed_over(void *names, struct measurement *measurement)
{
    char *seen = names;
    if (!strstr(seen, measurement->rung))
        strcat(strcat(seen, measurement->rung), " ");
}

/* Who keeps measurements, and stops being told at any moment, has them in the ladder's order. */
static void test_handed_over_in_ladder_order(void **state)
{
    (void)state;
    struct rung rungs[] = {rung_of(right), rung_of(right), rung_of(leaves_one_out), rung_of(right)};
    static const char *const names[] = {"first", "refused", "wrong", "last"};
    struct candidate candidates[COUNT_OF(rungs)];
    struct problem problem;
    struct device *device;
    struct error error = {""};
    char seen[256] = "";
    parse("transpose:rows=64,cols=96", &problem);
    assert_int_equal(device_open("cpu", &device, &error), STATUS_OK);
    rungs[1].supports = never;
    for (size_t i = 0; i < COUNT_OF(rungs); i++) {
        strcpy(rungs[i].name, names[i]);
        assert_int_equal(candidate_make(device, &rungs[i], &problem, NULL, &candidates[i], &error), STATUS_OK);
    }
    struct bench_options options = bench_defaults();
    options.seconds = 0.005;
    options.finished = handed_over;
    options.finished_context = seen;
    struct measurement_list list = {0};
    assert_int_equal(lab_bench(&problem, candidates, COUNT_OF(rungs), &options, &list, &error), STATUS_OK);
    assert_string_equal(seen, "copy first refused wrong last ");
    measurement_list_free(&list);
    device_close(device);
}

/* Nothing is moved on the null device, and nothing there may pass. */
static void test_null_device_fails(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device;
    assert_int_equal(device_open("null", &device, &error), STATUS_OK);
    for (size_t k = 0; kernels[k]; k++) {
        const struct rung *const *rungs, *devices[64];
        size_t count, device_count = 0, problem_count;
        struct problem *problems;
        assert_int_equal(kernel_rungs(kernels[k], &rungs, &count, &error), STATUS_OK);
        for (size_t i = 0; i < count; i++)
            if (rungs[i]->kind == RUNG_DEVICE)
                devices[device_count++] = rungs[i];
        assert_int_equal(check_problems(kernels[k], CHECK_SMALL, NULL, 1, &problems, &problem_count, &error),
                         STATUS_OK);
        for (size_t p = 0; p < problem_count; p++) {
            struct measurement_list list = {0};
            if (is_answered_by_nothing(&problems[p]))
                continue;
            assert_int_equal(lab_check(&problems[p], device, devices, device_count, NULL, &list, &error), STATUS_OK);
            for (size_t i = 0; i < list.count; i++)
                if (list.items[i].verdict == VERDICT_PASS)
                    FAIL_WITH("%s passed %s on the null device", list.items[i].rung, list.items[i].problem);
            measurement_list_free(&list);
        }
        free(problems);
        bool any = false;
        for (size_t i = 0; i < device_count; i++)
            any = any || (devices[i]->backends & BACKEND_NULL);
        double overhead = 0;
        assert_int_equal(lab_overhead(kernels[k], &overhead, &error), any ? STATUS_OK : STATUS_UNAVAILABLE);
        assert_true(!any || overhead > 0);
    }
    device_close(device);
}

static void test_axes(void **state)
{
    (void)state;
    struct axis axis;
    struct error error;
    assert_int_equal(axis_parse("BX=1..1024", &axis, &error), STATUS_OK);
    assert_int_equal(axis.count, 11);
    assert_int_equal(axis.values[10], 1024);
    assert_int_equal(axis_parse("BX=1..64x4", &axis, &error), STATUS_OK);
    assert_int_equal(axis.count, 4);
    assert_int_equal(axis_parse("BX=8..64+8", &axis, &error), STATUS_OK);
    assert_int_equal(axis.count, 8);
    assert_int_equal(axis_parse("BX=8,16,32..64", &axis, &error), STATUS_OK);
    assert_int_equal(axis.count, 4);
    static const char *const wrong[] = {"BX",        "BX=",  "=4",     "BX=4..2",   "BX=0..4",
                                        "BX=1..4x1", "BX=a", "BX=1..", "BX=1..4+0", "BX=1..9223372036854775807+1"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_int_equal(axis_parse(wrong[i], &axis, &error), STATUS_INVALID);
}

static void test_a_ratio_that_noise_voids_is_none(void **state)
{
    (void)state;
    struct measurement a = {.verdict = VERDICT_PASS}, b = {.verdict = VERDICT_PASS};
    /* The machine halves its speed after round 1, and one was timed before that only: the medians say nothing. */
    const double slow[] = {100, 100, 200, 200, 200};
    for (uint32_t round = 0; round < 5; round++) {
        samples_add(&a.phases[PHASE_COMPUTE], slow[round], round);
        if (round < 2)
            samples_add(&b.phases[PHASE_COMPUTE], 2 * slow[round], round);
    }
    assert_true(measurement_ratio(&a, &b) == 0);
    assert_true(measurement_ratio(&b, &a) == 0);
    free(a.phases[PHASE_COMPUTE].items);
    free(b.phases[PHASE_COMPUTE].items);
}

/* Sorting sixteen numbers takes nanoseconds, and before each sort they are brought anew: ten milliseconds of sorts
 * alone are a second on the clock, more where threads of another runtime must rest before each turn. */
static void test_short_runs_end_by_the_clock(void **state)
{
    (void)state;
    struct problem problem;
    struct device *device;
    struct candidate candidate;
    struct measurement_list list = {0};
    struct error error = {""};
    struct bench_options options = bench_defaults();
    options.seconds = 0.01;
    options.is_rough = true;
    options.probe_ceilings = false;
    parse("sort:n=16", &problem);
    assert_int_equal(device_open("cpu", &device, &error), STATUS_OK);
    const struct rung *rung = rung_by_name(problem.kernel, "simd", &error);
    assert_int_equal(candidate_make(device, rung, &problem, NULL, &candidate, &error), STATUS_OK);
    assert_int_equal(lab_bench(&problem, &candidate, 1, &options, &list, &error), STATUS_OK);
    assert_between(list.items[0].phases[PHASE_COMPUTE].count, 15, 50000);
    measurement_list_free(&list);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_passes),
        cmocka_unit_test(test_wrong_is_found),
        cmocka_unit_test(test_refusal_is_a_skip),
        cmocka_unit_test(test_handed_over_in_ladder_order),
        cmocka_unit_test(test_null_device_fails),
        cmocka_unit_test(test_short_runs_end_by_the_clock),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_a_ratio_that_noise_voids_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
