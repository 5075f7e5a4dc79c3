/* The plan of a publication's protocol: which steps, in which order, and how long they will take, worked out by hand.
 *
 * A transpose of 64 moves 32768 bytes. Of a rung that nothing is known of a byte takes a nanosecond on one unit: 16384
 * ns on two. A step takes 0.3 s to compile, 4 ns a byte to check, four runs, and the time to measure, which is 1 s
 * here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "lab/protocols/protocol.h"

#include <cmocka.h>
#undef fail

static const struct backend backend = {.name = "cpu", .kind = BACKEND_CPU};
static struct device cpu = {
    .backend = &backend, .id = "cpu", .properties = {.name = "A CPU", .units = 2, .is_cpu = true}};
static struct device *devices[] = {&cpu};
static int64_t sizes[] = {64, 128};

static struct publication_run run_of(const char *problem, const char *rung, size_t size_count)
{
    return (struct publication_run){.id = "r",
                                    .problem = problem,
                                    .rung = rung,
                                    .technologies = TECHNOLOGY_CPU,
                                    .sizes = sizes,
                                    .size_count = size_count};
}

static void expect(const struct publication *publication, const struct protocol_options *options,
                   const struct measurement_list *past, const double *seconds, size_t count, double all)
{
    struct protocol protocol;
    struct error error = {""};
    assert_int_equal(protocol_plan(publication, devices, 1, options, past, &protocol, &error), STATUS_OK);
    assert_int_equal(protocol.count, count);
    for (size_t i = 0; i < count; i++)
        assert_true(fabs(protocol.steps[i].seconds - seconds[i]) < 1e-9);
    assert_true(fabs(protocol.seconds - all) < 1e-9);
    protocol_free(&protocol);
    assert_null(protocol.steps);
}

static void measure(struct measurement_list *list, int n, double ns)
{
    struct measurement *one = measurement_list_add(list);
    assert_non_null(one);
    strcpy(one->kernel, "transpose");
    snprintf(one->problem, sizeof one->problem, "transpose:rows=%d,cols=%d,f32", n, n);
    strcpy(one->rung, "serial");
    strcpy(one->device, "cpu");
    for (uint32_t i = 0; i < 3; i++)
        assert_true(samples_add(&one->phases[PHASE_COMPUTE], ns, i));
}

#define SMALL (0.3 + 32768 * 4e-9 + 4 * 16384e-9)
#define LARGE (0.3 + 131072 * 4e-9 + 4 * 65536e-9)

static void times_of_nothing_known(void **state)
{
    (void)state;
    struct publication_run runs[] = {run_of("transpose:rows={},cols={},f32", "serial", 2)};
    struct publication publication = {.name = "p", .runs = runs, .run_count = 1};
    struct protocol_options options = {.bench = {.seconds = 1}};
    expect(&publication, &options, NULL, (double[]){SMALL + 1, LARGE + 1}, 2, SMALL + LARGE + 2);
    publication.repeat = 10;
    expect(&publication, &options, NULL, (double[]){SMALL + 163840e-9, LARGE + 655360e-9}, 2,
           SMALL + LARGE + 819200e-9);
    options.bench.repeat = 100; /* the user's goes before the publication's */
    expect(&publication, &options, NULL, (double[]){SMALL + 1638400e-9, LARGE + 6553600e-9}, 2,
           SMALL + LARGE + 8192000e-9);
    cpu.properties.units = 0; /* not known: one */
    expect(&publication, &options, NULL, (double[]){SMALL + 65536e-9 + 3276800e-9, LARGE + 262144e-9 + 13107200e-9}, 2,
           SMALL + LARGE + 327680e-9 + 16384000e-9);
    cpu.properties.units = 2;
}

/* A measured time of 128 is four times that of 64; of two the nearest counts. A run that takes 3 s is timed for 4 s and
 * one run; a step of which nothing was known is left out at twice the time only. */
static void times_of_what_was_measured(void **state)
{
    (void)state;
    struct publication_run runs[] = {run_of("transpose:rows={},cols={},f32", "serial", 2)};
    const struct publication publication = {.name = "p", .runs = runs, .run_count = 1};
    struct protocol_options options = {.bench = {.seconds = 1}};
    struct measurement_list past = {0};
    const double checks[] = {0.3 + 32768 * 4e-9, 0.3 + 131072 * 4e-9};
    measure(&past, 128, 8e6);
    double seconds[] = {checks[0] + 4 * 2e-3 + 1, checks[1] + 4 * 8e-3 + 1};
    expect(&publication, &options, &past, seconds, 2, seconds[0] + seconds[1]);
    options.most_seconds = 1.32; /* 1.308 and 1.333 */
    expect(&publication, &options, &past, seconds, 2, seconds[0]);
    options.most_seconds = 0;
    measure(&past, 64, 3e9);
    seconds[0] = checks[0] + 12 + 7;
    expect(&publication, &options, &past, seconds, 2, seconds[0] + seconds[1]);
    measurement_list_free(&past);
    const double guessed[] = {SMALL + 1, LARGE + 1}; /* 1.3002, 1.3008 */
    options.most_seconds = 0.65;
    expect(&publication, &options, NULL, guessed, 2, 0);
    options.most_seconds = 0.6502;
    expect(&publication, &options, NULL, guessed, 2, guessed[0]);
    options.most_seconds = 0.6505;
    expect(&publication, &options, NULL, guessed, 2, guessed[0] + guessed[1]);
}

static void order_and_choice_of_steps(void **state)
{
    (void)state;
    struct publication_run runs[] = {run_of("matmul:m={},n={},k={},f32", "ikj", 2),
                                     run_of("matmul:m=96,n=96,k=96,f32", "blocked", 0),
                                     run_of("matmul:m={},n={},k={},f32", "naive", 1)};
    static const char *const order[] = {"ikj", "naive", "blocked", "ikj"}, *const wanted[] = {"blocked"};
    const struct publication publication = {.name = "p", .runs = runs, .run_count = COUNT_OF(runs)};
    struct protocol_options options = {.bench = {.seconds = 1}};
    struct protocol protocol;
    struct error error = {""};
    assert_int_equal(protocol_plan(&publication, devices, 1, &options, NULL, &protocol, &error), STATUS_OK);
    assert_int_equal(protocol.count, COUNT_OF(order));
    for (size_t i = 0; i < COUNT_OF(order); i++)
        assert_string_equal(protocol.steps[i].candidate.rung->name, order[i]);
    assert_int_equal(protocol.steps[0].size, 64);
    assert_int_equal(protocol.steps[2].size, 0);
    assert_int_equal(protocol.steps[3].size, 128);
    protocol_free(&protocol);
    options.rungs = wanted;
    options.rung_count = 1;
    assert_int_equal(protocol_plan(&publication, devices, 1, &options, NULL, &protocol, &error), STATUS_OK);
    assert_int_equal(protocol.count, 1);
    assert_string_equal(protocol.steps[0].candidate.rung->name, "blocked");
    protocol_free(&protocol);
}

static void refusals(void **state)
{
    (void)state;
    struct publication_run runs[] = {run_of("transpose:rows={},cols={},f32", "serial", 2)};
    static const char *const near[] = {"serail"}, *const far[] = {"zzzzzzzz"};
    const struct publication publication = {.name = "p", .runs = runs, .run_count = 1};
    struct protocol_options options = {.bench = {.seconds = 1}, .rungs = near, .rung_count = 1};
    struct protocol protocol;
    struct error error = {""};
    assert_int_equal(protocol_plan(&publication, devices, 1, &options, NULL, &protocol, &error), STATUS_INVALID);
    assert_string_equal(error.text, "p measures no rung 'serail'; did you mean 'serial'?");
    options.rungs = far;
    assert_int_equal(protocol_plan(&publication, devices, 1, &options, NULL, &protocol, &error), STATUS_INVALID);
    assert_string_equal(error.text, "p measures no rung 'zzzzzzzz'");
    options.rung_count = 0;
    runs[0].technologies = TECHNOLOGY_CUDA;
    assert_int_equal(protocol_plan(&publication, devices, 1, &options, NULL, &protocol, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.text, "nothing of p runs on the chosen devices");
    runs[0].technologies = TECHNOLOGY_CPU;
    runs[0].problem = "transpose:rows={},cols=x,f32";
    assert_int_equal(protocol_plan(&publication, devices, 1, &options, NULL, &protocol, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "run r: transpose: cols=x is not a size"));
    assert_int_equal(protocol.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_of_nothing_known),
                                       cmocka_unit_test(times_of_what_was_measured),
                                       cmocka_unit_test(order_and_choice_of_steps), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
