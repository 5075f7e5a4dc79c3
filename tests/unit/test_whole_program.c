/* The publication's whole program: both vectors are sorted and multiplied on a device, timed as often as asked for, and
 * verified before and after; a device that cannot is a reason. */
#include "opencl_device.h"

#include <stdio.h>
#include <stdlib.h>

#include "verdicts.h"

#include "base/size.h"
#include "lab/protocols/whole_program.h"

static size_t finished_count, progress_count;

static void finished(void *context, struct measurement *measurement)
{
    assert_ptr_equal(context, &finished_count);
    assert_true(measurement->phases[PHASE_COMPUTE].count > 0);
    finished_count++;
}

static void progress(void *context, const char *what, double fraction)
{
    assert_ptr_equal(context, &progress_count);
    assert_string_equal(what, "device-step");
    assert_true(fraction == 0);
    progress_count++;
}

static struct candidate candidate_of(struct device *on, const char *text, struct problem *problem)
{
    struct candidate candidate;
    expect_ok(problem_parse(text, problem, &error));
    const struct rung *rung = rung_by_name(problem->kernel, "device-step", &error);
    assert_non_null(rung);
    expect_ok(candidate_make(on, rung, problem, NULL, &candidate, &error));
    return candidate;
}

static void it_is_timed_and_verified(void **state)
{
    NEEDS_DEVICE();
    static const struct {
        const char *problem;
        unsigned repeat;
        size_t samples;
    } rows[] = {{"pipeline:n=3000", 3, 3}, {"pipeline:n=1024", 0, 5}, {"pipeline:n=1", 1, 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct problem problem;
        char text[PROBLEM_TEXT_MAX], expected[PROBLEM_TEXT_MAX + 16];
        struct measurement_list list = {0};
        const struct candidate candidate = candidate_of(device, rows[i].problem, &problem);
        const struct bench_options options = {.repeat = rows[i].repeat,
                                              .finished = finished,
                                              .finished_context = &finished_count,
                                              .progress = progress,
                                              .progress_context = &progress_count};
        finished_count = progress_count = 0;
        expect_ok(lab_whole_program(&problem, &candidate, 1, &options, &list, &error));
        assert_int_equal(list.count, 1);
        const struct measurement *one = &list.items[0];
        expect_reason(one, VERDICT_PASS, "");
        snprintf(expected, sizeof expected, "program:%s", problem_text(&problem, text));
        assert_string_equal(one->problem, expected);
        assert_string_equal(one->kernel, "program");
        assert_string_equal(one->parameters, "GROUP=1024");
        assert_string_equal(one->rung, "device-step");
        assert_int_equal(one->batch, 1);
        assert_int_equal(one->phases[PHASE_END_TO_END].count, rows[i].samples);
        assert_int_equal(one->phases[PHASE_COMPUTE].count, rows[i].samples);
        for (size_t s = 0; s < rows[i].samples; s++)
            assert_true(one->phases[PHASE_COMPUTE].items[s].nanoseconds > 0);
        assert_int_equal(finished_count, 1);
        assert_int_equal(progress_count, 1);
        measurement_list_free(&list);
    }
}

/* A processor runs no kernels: its measurement says so, and the next candidate has its turn. */
static void a_device_that_cannot_has_a_reason(void **state)
{
    NEEDS_DEVICE();
    struct device *cpu;
    struct problem problem;
    struct measurement_list list = {0};
    const struct bench_options options = {.repeat = 1};
    expect_ok(device_open("cpu", &cpu, &error));
    struct candidate candidates[2] = {candidate_of(device, "pipeline:n=100", &problem)};
    candidates[1] = candidates[0];
    candidates[0].device = cpu;
    expect_ok(lab_whole_program(&problem, candidates, COUNT_OF(candidates), &options, &list, &error));
    assert_int_equal(list.count, 2);
    expect_refusal(&list.items[0]);
    assert_int_equal(list.items[0].phases[PHASE_COMPUTE].count, 0);
    expect_reason(&list.items[1], VERDICT_PASS, "");
    measurement_list_free(&list);
    device_close(cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_timed_and_verified),
        cmocka_unit_test(a_device_that_cannot_has_a_reason),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
