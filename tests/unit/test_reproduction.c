/* Published figures beside measured ones: from measurements made up for the purpose, so that every figure is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail

#include "publications/reproduction.h"

#define assert_near(actual, expected) assert_true(fabs((actual) - (expected)) < 1e-9)

static struct publication publication;

static int open_small(void **state)
{
    (void)state;
    static char text[16384];
    struct error error = {""};
    FILE *stream = fopen(USKOR_TEST_DATA "/publication/small.json", "r");
    assert_non_null(stream);
    size_t bytes = fread(text, 1, sizeof text, stream);
    fclose(stream);
    return publication_parse(text, bytes, "small.json", &publication, &error) == STATUS_OK ? 0 : -1;
}

static int close_small(void **state)
{
    (void)state;
    publication_free(&publication);
    return 0;
}

/* Three whole times around `milliseconds`, a tenth of a per cent to either side. */
static struct measurement *add(struct measurement_list *list, const char *device, const char *rung, int n,
                               const char *parameters, double milliseconds)
{
    struct measurement *measurement = measurement_list_add(list);
    assert_non_null(measurement);
    snprintf(measurement->kernel, sizeof measurement->kernel, "dot");
    snprintf(measurement->problem, sizeof measurement->problem, "dot:n=%d,input=unit,f32", n);
    snprintf(measurement->rung, sizeof measurement->rung, "%s", rung);
    snprintf(measurement->parameters, sizeof measurement->parameters, "%s", parameters);
    snprintf(measurement->device, sizeof measurement->device, "%s", device);
    snprintf(measurement->device_name, sizeof measurement->device_name, "a %s", device);
    for (int i = -1; i <= 1; i++) {
        double nanoseconds = milliseconds * 1e6 * (1 + 0.001 * i);
        assert_true(samples_add(&measurement->phases[PHASE_END_TO_END], nanoseconds, 0));
        assert_true(samples_add(&measurement->phases[PHASE_LAUNCH], nanoseconds / 2, 0));
    }
    return measurement;
}

static void build(const struct measurement_list *list, const char *no_cuda, struct reproduction *reproduction)
{
    static const struct here_fact facts[] = {
        {"cuda:0", "name", "a GPU"}, {"cuda:0", "warp_items", "32"}, {"", "cpu", "a processor"}};
    struct error error;
    struct here here = {.list = list, .facts = facts, .fact_count = 3, .no_cuda = no_cuda};
    assert_int_equal(reproduction_build(&publication, &here, reproduction, &error), STATUS_OK);
}

static const struct here_column *column_of(const struct panel_comparison *panel, const char *device)
{
    for (size_t i = 0; i < panel->column_count; i++)
        if (panel->columns[i].device && strcmp(panel->columns[i].device, device) == 0)
            return &panel->columns[i];
    return NULL;
}

static const struct claim_result *result_of(const struct reproduction *reproduction, size_t claim)
{
    for (size_t i = 0; i < reproduction->claim_count; i++)
        if (reproduction->claims[i].claim == &publication.claims[claim])
            return &reproduction->claims[i];
    return NULL;
}

/* The device is behind at 4 and twice as fast at 8, with the larger group; half of its time is moving data. */
static struct measurement_list as_published(void)
{
    struct measurement_list list = {0};
    add(&list, "cpu", "serial", 4, "", 1.0);
    add(&list, "cpu", "serial", 8, "", 4.0);
    add(&list, "cuda:0", "tree", 4, "GROUP=64 GROUPS=8", 4.0);
    add(&list, "cuda:0", "tree", 4, "GROUP=128 GROUPS=8", 2.0);
    add(&list, "cuda:0", "tree", 8, "GROUP=64 GROUPS=8", 8.0);
    add(&list, "cuda:0", "tree", 8, "GROUP=128 GROUPS=8", 2.0);
    return list;
}

static void test_times_and_ratios(void **state)
{
    (void)state;
    struct measurement_list list = as_published();
    struct reproduction reproduction;
    build(&list, NULL, &reproduction);
    assert_int_equal(reproduction.panel_count, 3);
    const struct panel_comparison *times = &reproduction.panels[0], *ratios = &reproduction.panels[1];

    const struct here_column *cpu = column_of(times, "cpu"), *cuda = column_of(times, "cuda:0");
    assert_non_null(cpu);
    assert_non_null(cuda);
    assert_int_equal(cpu->cells[1].state, HERE_VALUE);
    assert_near(cpu->cells[1].value, 4.0);
    assert_near(cpu->cells[1].deviation, 0.004);
    assert_near(cpu->cells[1].better, 1.0); /* published: the mean of 3 and 5 */
    assert_near(cuda->cells[0].value, 2.0); /* the better of both groups */
    assert_near(cuda->cells[0].better, 1.0);

    const struct here_column *ratio = column_of(ratios, "cuda:0");
    assert_non_null(ratio);
    assert_near(ratio->cells[0].value, 0.5);
    assert_near(ratio->cells[1].value, 2.0);
    assert_near(ratio->cells[1].deviation, (0.004 * 2 + 4 * 0.002) / 4);
    /* worked out of the published samples 3 and 5, whose deviation is √2, over 2.0 */
    assert_near(ratios->published[1].value, 2.0);
    assert_near(ratios->published[1].deviation, sqrt(2) * 2 / 4);

    assert_int_equal(reproduction.panels[2].columns[0].cells[0].state, HERE_FACT);
    assert_string_equal(reproduction.panels[2].columns[0].cells[0].text, "32");
    assert_string_equal(reproduction.panels[2].columns[0].device_name, "a GPU");
    reproduction_free(&reproduction);
    measurement_list_free(&list);
}

/* A ratio of a figure that noise voids says as little as the figure. */
static void test_void_figures_make_no_ratio(void **state)
{
    (void)state;
    struct measurement_list list = as_published();
    struct reproduction reproduction;
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.items[i].device, "cpu") == 0) {
            struct samples *samples = &list.items[i].phases[PHASE_END_TO_END];
            for (size_t s = 0; s < samples->count; s++)
                samples->items[s].nanoseconds *= s == 0 ? 1 : s == 1 ? 9 : 81;
        }
    build(&list, NULL, &reproduction);
    const struct here_column *ratio = column_of(&reproduction.panels[1], "cuda:0");
    assert_non_null(ratio);
    assert_int_equal(column_of(&reproduction.panels[0], "cpu")->cells[1].state, HERE_UNMEASURED);
    assert_int_equal(column_of(&reproduction.panels[0], "cuda:0")->cells[1].state, HERE_VALUE);
    assert_int_equal(ratio->cells[1].state, HERE_UNMEASURED);
    reproduction_free(&reproduction);
    measurement_list_free(&list);
}

static void test_claims_that_hold(void **state)
{
    (void)state;
    struct measurement_list list = as_published();
    struct reproduction reproduction;
    build(&list, NULL, &reproduction);
    for (size_t claim = 0; claim < 6; claim++)
        assert_int_equal(result_of(&reproduction, claim)->outcome, JUDGED_HOLDS);
    assert_string_equal(result_of(&reproduction, 0)->figure, "N ≥ 8");
    assert_string_equal(result_of(&reproduction, 2)->figure, "2.00×");
    assert_string_equal(result_of(&reproduction, 3)->figure, "4.00×");
    assert_string_equal(result_of(&reproduction, 4)->figure, "GROUP=128 GROUPS=8");
    assert_string_equal(result_of(&reproduction, 5)->figure, "50 %");
    assert_int_equal(result_of(&reproduction, 7)->outcome, JUDGED_UNTOLD);
    assert_string_equal(result_of(&reproduction, 7)->why, "nobody knows");
    reproduction_free(&reproduction);
    measurement_list_free(&list);
}

static void test_claims_that_do_not_hold(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    add(&list, "cpu", "serial", 4, "", 8.0);
    add(&list, "cpu", "serial", 8, "", 8.0);
    add(&list, "cuda:0", "tree", 4, "GROUP=64 GROUPS=8", 1.0);
    add(&list, "cuda:0", "tree", 4, "GROUP=128 GROUPS=8", 1.2);
    add(&list, "cuda:0", "tree", 8, "GROUP=64 GROUPS=8", 2.0);
    add(&list, "cuda:0", "tree", 8, "GROUP=128 GROUPS=8", 2.4);
    struct reproduction reproduction;
    build(&list, NULL, &reproduction);
    for (size_t claim = 0; claim < 5; claim++)
        assert_int_equal(result_of(&reproduction, claim)->outcome, JUDGED_FAILS);
    reproduction_free(&reproduction);
    measurement_list_free(&list);
}

/* Twice, give or take a tenth of a per cent, is neither above nor below the bound of 1.5 … 2.5; 1.501 is too near it.
 */
static void test_too_near_to_tell(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    add(&list, "cpu", "serial", 8, "", 1.501);
    add(&list, "cuda:0", "tree", 8, "GROUP=64 GROUPS=8", 1.0);
    struct reproduction reproduction;
    build(&list, NULL, &reproduction);
    assert_int_equal(result_of(&reproduction, 2)->outcome, JUDGED_UNTOLD);
    assert_string_equal(result_of(&reproduction, 2)->figure, "1.50×");
    /* one size says nothing of a crossing, and one choice nothing of a spread */
    assert_int_equal(result_of(&reproduction, 0)->outcome, JUDGED_UNTOLD);
    assert_int_equal(result_of(&reproduction, 3)->outcome, JUDGED_UNTOLD);
    reproduction_free(&reproduction);
    measurement_list_free(&list);
}

static void test_what_is_missing_says_why(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    struct measurement *skipped = add(&list, "cpu", "serial", 4, "", 1.0);
    skipped->verdict = VERDICT_SKIP;
    skipped->phases[PHASE_END_TO_END].count = 0;
    snprintf(skipped->reason, sizeof skipped->reason, "too long");
    struct measurement *wrong = add(&list, "opencl:0", "tree", 4, "GROUP=64 GROUPS=8", 1.0);
    wrong->verdict = VERDICT_FAIL;
    wrong->phases[PHASE_END_TO_END].count = 0;
    snprintf(wrong->reason, sizeof wrong->reason, "differs");
    struct reproduction reproduction;
    build(&list, "no driver", &reproduction);
    const struct panel_comparison *times = &reproduction.panels[0];

    const struct here_column *cpu = column_of(times, "cpu"), *opencl = column_of(times, "opencl:0");
    assert_int_equal(cpu->cells[0].state, HERE_SKIP);
    assert_string_equal(cpu->cells[0].text, "too long");
    assert_int_equal(cpu->cells[1].state, HERE_UNMEASURED);
    assert_true(opencl->beyond);
    assert_int_equal(opencl->cells[0].state, HERE_WRONG);
    assert_string_equal(opencl->cells[0].text, "differs");
    bool found = false;
    for (size_t i = 0; i < times->column_count; i++)
        if (times->columns[i].technology == TECHNOLOGY_CUDA) {
            found = true;
            assert_null(times->columns[i].device);
            assert_int_equal(times->columns[i].cells[0].state, HERE_SKIP);
            assert_string_equal(times->columns[i].cells[0].text, "no driver");
        }
    assert_true(found);
    assert_string_equal(times->published[0].text, "1.0"); /* the published column stands */
    reproduction_free(&reproduction);
    measurement_list_free(&list);
}

/* A column for what is explained, behind today's; its figures are nobody's measurement. */
static void test_predictions_stand_behind(void **state)
{
    (void)state;
    struct measurement_list list = as_published();
    struct reproduction reproduction;
    build(&list, NULL, &reproduction);
    const struct panel_comparison *facts = &reproduction.panels[2];
    const struct here_column *last = &facts->columns[facts->column_count - 1];
    assert_int_equal(facts->column_count, 2);
    assert_null(facts->columns[0].prediction);
    assert_non_null(last->prediction);
    assert_string_equal(last->device, "Tesla K40");
    assert_int_equal(last->cells[0].state, HERE_FACT);
    assert_string_equal(last->cells[0].text, "31");
    assert_null(last->cells[0].measurement);
    reproduction_free(&reproduction);
    measurement_list_free(&list);
}

/* Work in a nanosecond, not time: twice the work in the same time is no fall. */
static void test_a_rate_falls(void **state)
{
    (void)state;
    for (int falls = 0; falls < 2; falls++) {
        struct measurement_list list = as_published();
        struct reproduction reproduction;
        for (size_t i = 0; i < list.count; i++)
            list.items[i].work = strstr(list.items[i].problem, "n=8") ? (falls ? 4 : 8) : falls ? 8 : 4;
        build(&list, NULL, &reproduction);
        const struct claim_result *result = result_of(&reproduction, 6);
        assert_int_equal(result->claim->kind, CLAIM_FALL);
        assert_int_equal(result->outcome, falls ? JUDGED_HOLDS : JUDGED_FAILS);
        reproduction_free(&reproduction);
        measurement_list_free(&list);
    }
}

/* The same rung's program is another run than the rung. */
static void test_programs(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    struct measurement *measurement = add(&list, "cuda:0", "tree", 4, "GROUP=64", 1.0);
    struct publication_run run = publication.runs[1];
    run.form = RUN_PROGRAM;
    assert_false(measured_belongs(measurement, &run, 4));
    snprintf(measurement->kernel, sizeof measurement->kernel, "program");
    snprintf(measurement->problem, sizeof measurement->problem, "program:dot:n=4,input=unit,f32");
    assert_true(measured_belongs(measurement, &run, 4));
    assert_false(measured_belongs(measurement, &publication.runs[1], 4));
    run.form = RUN_MEMORY_KINDS;
    assert_false(measured_belongs(measurement, &run, 4));
    measurement_list_free(&list);
}

static void test_kinds_of_memory(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    struct measurement *measurement = add(&list, "cuda:0", "tree", 4, "GROUP=64 memory=pinned", 1.0);
    struct publication_run run = publication.runs[1];
    run.form = RUN_MEMORY_KINDS;
    assert_false(measured_belongs(measurement, &run, 4));
    snprintf(measurement->kernel, sizeof measurement->kernel, "memory");
    snprintf(measurement->problem, sizeof measurement->problem, "memory:dot:n=4,input=unit,f32");
    assert_true(measured_belongs(measurement, &run, 4));
    assert_false(measured_belongs(measurement, &run, 8));
    assert_false(measured_belongs(measurement, &publication.runs[1], 4));
    measurement_list_free(&list);
}

/* Another problem, other parameters, another rung: none of them is the run's. */
static void test_what_does_not_belong(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    struct measurement *measurement = add(&list, "cuda:0", "tree", 4, "GROUP=1024 GROUPS=8", 1.0);
    const struct publication_run *tree = &publication.runs[1];
    assert_true(measured_belongs(measurement, tree, 4));
    assert_false(measured_belongs(measurement, tree, 8));
    assert_false(measured_belongs(measurement, &publication.runs[0], 4));
    assert_null(measured_mean(&list, tree, 4, NULL, "cuda:0", true).measurement); /* 1024 is not among the choices */
    snprintf(measurement->problem, sizeof measurement->problem, "dot:n=44,input=unit,f32");
    assert_false(measured_belongs(measurement, tree, 4));
    assert_true(measured_with("BX=1 BY=64", "BY=64"));
    assert_false(measured_with("BX=1 BY=64", "BY=6"));
    measurement_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_and_ratios),
        cmocka_unit_test(test_void_figures_make_no_ratio),
        cmocka_unit_test(test_claims_that_hold),
        cmocka_unit_test(test_claims_that_do_not_hold),
        cmocka_unit_test(test_too_near_to_tell),
        cmocka_unit_test(test_what_is_missing_says_why),
        cmocka_unit_test(test_what_does_not_belong),
        cmocka_unit_test(test_kinds_of_memory),
        cmocka_unit_test(test_predictions_stand_behind),
        cmocka_unit_test(test_a_rate_falls),
        cmocka_unit_test(test_programs),
    };
    return cmocka_run_group_tests(tests, open_small, close_small);
}
