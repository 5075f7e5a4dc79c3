/* The search by successive halving: who is left, how often each is timed, and which points of a rung take part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/all.h"
#include "lab/bench/halving.h"

static struct device gpu = {
    .backend = &backend_opencl,
    .id = "opencl:0",
    .properties = {.name = "mine", .has_double = true, .group_items = 1024, .local_bytes_per_group = 49152}};

/* A bench that times nothing: a candidate takes as long as its first tunable is far from 8; 16 fails. */
struct fake {
    size_t calls, timed;
    double seconds;
};

static enum status time_them(void *context, const struct problem *problem, const struct candidate *candidates,
                             size_t count, const struct bench_options *options, struct measurement_list *list,
                             struct error *error)
{
    struct fake *fake = context;
    (void)problem, (void)error;
    assert_true(options->is_rough);
    assert_true(fake->calls == 0 || options->seconds > fake->seconds);
    fake->seconds = options->seconds;
    fake->calls++;
    fake->timed += count;
    for (size_t i = 0; i < count; i++) {
        struct measurement *made = measurement_list_add(list);
        const int64_t value = candidates[i].parameters.values[0];
        assert_non_null(made);
        snprintf(made->rung, sizeof made->rung, "%s", candidates[i].rung->name);
        snprintf(made->device, sizeof made->device, "%s", candidates[i].device->id);
        candidate_parameters(&candidates[i], made->parameters, sizeof made->parameters);
        made->verdict = value == 16 ? VERDICT_ERROR : VERDICT_PASS;
        for (uint32_t k = 0; value != 16 && k < 3; k++)
            samples_add(&made->phases[PHASE_COMPUTE], 100 + 10 * fabs((double)value - 8), k);
    }
    return STATUS_OK;
}

static enum status points_of(const char *problem_of, const char *rung_of, size_t most, struct problem *problem,
                             struct candidate **points, size_t *count)
{
    struct error error = {""};
    assert_int_equal(problem_parse(problem_of, problem, &error), STATUS_OK);
    const struct rung *rung = rung_by_name(problem->kernel, rung_of, &error);
    assert_non_null(rung);
    return halving_points(&gpu, rung, problem, most, points, count, &error);
}

static void the_fastest_is_left(void **state)
{
    (void)state;
    struct problem problem;
    struct candidate *points;
    size_t count;
    struct fake fake = {0};
    struct error error = {""};
    const struct bench_options options = bench_defaults();
    assert_int_equal(points_of("transpose:64", "naive", 64, &problem, &points, &count), STATUS_OK);
    assert_true(count > 16);
    const size_t all = count;
    const struct halving halving = {time_them, &fake, &options, 1};
    assert_int_equal(halving_race(&halving, &problem, points, &count, &error), STATUS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(points[0].parameters.values[0], 8);
    assert_true(fake.calls >= 4);
    assert_true(fake.timed <= 2 * all + fake.calls); /* a half, a quarter, … */
    free(points);
}

static void all_that_fail_are_out(void **state)
{
    (void)state;
    struct problem problem;
    struct candidate *points;
    size_t count;
    struct fake fake = {0};
    struct error error = {""};
    const struct bench_options options = bench_defaults();
    assert_int_equal(points_of("transpose:64", "naive", 8, &problem, &points, &count), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        points[i].parameters.values[0] = 16;
    const struct halving halving = {time_them, &fake, &options, 1};
    assert_int_equal(halving_race(&halving, &problem, points, &count, &error), STATUS_OK);
    assert_int_equal(count, 0);
    free(points);
}

/* No point twice, the defaults first, none that the device or the header refuses. */
static void points_are_what_the_rung_takes(void **state)
{
    (void)state;
    struct problem problem;
    struct candidate *points;
    struct parameters defaults;
    size_t count;
    char reason[512];
    assert_int_equal(points_of("transpose:64", "naive", 1000, &problem, &points, &count), STATUS_OK);
    assert_int_equal(rung_defaults(points[0].rung, &problem, &defaults, NULL), STATUS_OK);
    assert_memory_equal(&points[0].parameters, &defaults, sizeof defaults);
    for (size_t i = 0; i < count; i++) {
        assert_null(rung_refuses(points[i].rung, &problem, &gpu, &points[i].parameters, reason, sizeof reason));
        assert_true(points[i].parameters.values[0] * points[i].parameters.values[1] <= 1024);
        for (size_t k = 0; k < i; k++)
            assert_memory_not_equal(&points[i].parameters, &points[k].parameters, sizeof defaults);
    }
    free(points);
    assert_int_equal(points_of("transpose:64", "naive", 5, &problem, &points, &count), STATUS_OK);
    assert_int_equal(count, 5);
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_is_left),
        cmocka_unit_test(all_that_fail_are_out),
        cmocka_unit_test(points_are_what_the_rung_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
