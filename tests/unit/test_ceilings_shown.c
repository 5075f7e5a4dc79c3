/* Rungs of one ladder that are held against different ceilings: what tables and reports make of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/size.h"
#include "report/model/roofline.h"
#include "report/model/view.h"
#include "report/terminal/ceilings.h"
#include "report/terminal/report.h"
#include "report/terminal/roofline.h"
#include "store/noise.h"

#include "full_device.h"
#include "table_text.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* A measurement of `run` that takes so long, held against the ceiling of that name. */
static struct measurement *add(struct measurement_list *list, int64_t run, const char *rung, enum measured_kind kind,
                               double nanoseconds, const char *ceiling)
{
    struct measurement *measurement = measurement_list_add(list);
    assert_non_null(measurement);
    strcpy(measurement->kernel, "matmul");
    strcpy(measurement->problem, "matmul:m=64,n=64,k=64,f32");
    strcpy(measurement->device, "cuda:0");
    strcpy(measurement->device_name, "A GPU");
    strcpy(measurement->rate_unit, "GFLOP/s");
    snprintf(measurement->rung, sizeof measurement->rung, "%s", rung);
    snprintf(measurement->ceiling, sizeof measurement->ceiling, "%s", ceiling);
    measurement->kind = kind;
    measurement->run = run;
    measurement->work = measurement->operations = 1000;
    measurement->bytes = 10;
    for (uint32_t round = 0; round < 3; round++)
        assert_true(samples_add(&measurement->phases[PHASE_COMPUTE], nanoseconds, round));
    return measurement;
}

/* The tensor cores do in 5 ns what ordinary units take 10 for. */
static struct measurement_list made(void)
{
    struct measurement_list list = {0};
    add(&list, 1, "streams", MEASURED_PROBE, 1, "");
    add(&list, 1, "fma", MEASURED_PROBE, 10, "");
    add(&list, 1, "tensor-6", MEASURED_PROBE, 5, "")->operations = 6000;
    add(&list, 1, "tiled", MEASURED_DEVICE, 40, "fma");
    add(&list, 1, "tensor-split", MEASURED_DEVICE, 8, "tensor-6");
    add(&list, 1, "cublas", MEASURED_VENDOR, 20, "fma");
    return list;
}

static void a_ceiling_that_is_named_is_the_ceiling(void **state)
{
    struct measurement_list list = made();
    (void)state;
    assert_string_equal(measurement_ceiling(&list, &list.items[3])->rung, "fma");
    assert_string_equal(measurement_ceiling(&list, &list.items[4])->rung, "tensor-6");
    list.items[4].ceiling[0] = 0;
    assert_string_equal(measurement_ceiling(&list, &list.items[4])->rung, "fma"); /* the slowest */
    strcpy(list.items[4].ceiling, "tensor-3");
    assert_null(measurement_ceiling(&list, &list.items[4]));
    measurement_list_free(&list);
}

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text++)
        count++;
    return count;
}

static bool line_has(const char *text, const char *rung, const char *share)
{
    char start[64];
    snprintf(start, sizeof start, "\n  %s ", rung);
    const char *line = strstr(text, start);
    const char *end = line ? strchr(line + 1, '\n') : NULL;
    const char *found = line ? strstr(line, share) : NULL;
    return found && end && found < end;
}

static void a_table_has_each_share_and_says_so(void **state)
{
    struct measurement_list list = made();
    (void)state;
    char *text = table_text(&list, LANGUAGE_ENGLISH, 120);
    assert_int_equal(count_of(text, "\n  tensor-6 "), 1);
    assert_true(line_has(text, "tiled", " 25.0%"));
    assert_true(line_has(text, "tensor-split", " 62.5%"));
    assert_true(line_has(text, "cublas", " 50.0%"));
    assert_int_equal(count_of(text, "uskor help counting"), 1);
    free(text);
    text = table_text(&list, LANGUAGE_RUSSIAN, 120);
    assert_true(line_has(text, "tensor-split", " 62,5%"));
    assert_int_equal(count_of(text, "uskor help counting"), 1);
    free(text);
    measurement_list_free(&list);
}

static const struct entry *rung_of(const struct ladder *ladder, const char *name)
{
    for (size_t i = 0; i < ladder->rung_count; i++)
        if (strcmp(ladder->rungs[i]->measurement->rung, name) == 0)
            return ladder->rungs[i];
    return NULL;
}

static void a_report_holds_each_rung_against_its_own(void **state)
{
    struct measurement_list list = made();
    struct view view;
    struct error error;
    (void)state;
    /* A later run without ceilings: its rung's is the one that it had before. */
    add(&list, 2, "tensor-split", MEASURED_DEVICE, 10, "");
    assert_int_equal(view_make(&list, &view, &error), STATUS_OK);
    assert_int_equal(view.ladder_count, 1);
    const struct ladder *ladder = &view.ladders[0];
    const struct entry *ceilings[LADDER_CEILINGS_MAX];
    assert_true(fabs(rung_of(ladder, "tiled")->of_ceiling - 0.25) < 1e-9);
    assert_true(fabs(rung_of(ladder, "tensor-split")->of_ceiling - 0.625) < 1e-9);
    assert_string_equal(ladder->ceiling->measurement->rung, "tensor-6");
    assert_int_equal(ladder_ceilings(ladder, ceilings), 2);
    assert_string_equal(ceilings[0]->measurement->rung, "tensor-6");
    assert_string_equal(ceilings[1]->measurement->rung, "fma");
    for (size_t i = 0; i < ladder->entry_count; i++)
        if (ladder->entries[i].measurement->run == 2)
            assert_true(fabs(ladder->entries[i].of_ceiling - 0.5) < 1e-9);
    view_free(&view);
    measurement_list_free(&list);
}

/* A run that times a ladder, and then sweeps one of its rungs on the same problem with a slower probe. */
static void a_rung_has_the_probe_of_its_rounds(void **state)
{
    struct measurement_list list = {0};
    struct view view;
    struct error error;
    (void)state;
    add(&list, 1, "copy", MEASURED_PROBE, 10, "");
    add(&list, 1, "naive", MEASURED_DEVICE, 40, "copy");
    add(&list, 1, "tiled", MEASURED_DEVICE, 20, "copy");
    add(&list, 1, "copy", MEASURED_PROBE, 15, "");
    add(&list, 1, "naive", MEASURED_DEVICE, 60, "copy");
    assert_int_equal(view_make(&list, &view, &error), STATUS_OK);
    assert_int_equal(view.ladder_count, 1);
    assert_true(fabs(rung_of(&view.ladders[0], "tiled")->of_ceiling - 0.5) < 1e-9);
    assert_ptr_equal(measurement_ceiling(&list, &list.items[2]), &list.items[0]);
    assert_ptr_equal(measurement_ceiling(&list, &list.items[4]), &list.items[3]);
    for (size_t i = 0; i < view.ladders[0].entry_count; i++)
        if (view.ladders[0].entries[i].measurement == &list.items[4] ||
            view.ladders[0].entries[i].measurement == &list.items[1])
            assert_true(fabs(view.ladders[0].entries[i].of_ceiling - 0.25) < 1e-9);
    view_free(&view);
    measurement_list_free(&list);
}

static void a_roofline_draws_them_for_the_rungs_on_them(void **state)
{
    struct measurement_list list = made();
    struct view view;
    struct roofline roofline;
    struct error error;
    (void)state;
    for (int on_tensor_cores = 1; on_tensor_cores >= 0; on_tensor_cores--) {
        if (!on_tensor_cores)
            strcpy(list.items[4].ceiling, "fma");
        assert_int_equal(view_make(&list, &view, &error), STATUS_OK);
        assert_int_equal(roofline_make(&view, &view.ladders[0], NULL, &roofline, &error), STATUS_OK);
        assert_true(roofline_highest(&roofline, true) ==
                    (on_tensor_cores ? 200 : 100)); /* operations in a nanosecond */
        assert_true(roofline_lowest(&roofline, true) == 100);
        assert_true(roofline_highest(&roofline, false) == 10);
        roofline_free(&roofline);
        view_free(&view);
    }
    measurement_list_free(&list);
}

/* A ceiling that noise voids has no rate: the picture has its scale from the others, or is not drawn. */
static void a_roofline_without_a_steady_ceiling_has_numbers(void **state)
{
    struct measurement_list list = {0};
    (void)state;
    add(&list, 1, "fma-f32", MEASURED_PROBE, 10, "");
    add(&list, 1, "dram-copy", MEASURED_PROBE, 10, "");
    for (uint32_t round = 3; round < 9; round++)
        assert_true(samples_add(&list.items[0].phases[PHASE_COMPUTE], round % 2 ? 1 : 1000, round));
    assert_true(measurement_is_void(&list.items[0]));
    const struct measurement *ceilings[] = {&list.items[0], &list.items[1]};
    struct roof_mark mark = {.measurement = &list.items[1], .intensity = 2, .rate = 3};
    for (size_t marks = 0; marks < 2; marks++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        assert_non_null(stream);
        report_roofline(stream, &(struct roof_chart){ceilings, 2, &mark, marks}, (struct style){.width = 80});
        assert_int_equal(fclose(stream), 0);
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
        assert_non_null(strstr(text, "fma-f32"));
        assert_int_equal(count_of(text, "too noisy"), 1);
        assert_int_equal(count_of(text, "┤") > 0, marks > 0);
        free(text);
    }
    measurement_list_free(&list);
}

/* Other programs' share of the processor is told once, with the ceilings that it disturbed, below both tables. */
static void a_disturbed_ceiling_says_so(void **state)
{
    static const char disturbed[] = "noisy: other programs used 1.8 CPUs";
    struct measurement_list list = {0};
    static const char *const names[] = {"dram-copy", "fma-f32", "l2-read"};
    struct ceiling_row rows[COUNT_OF(names)];
    const struct measurement *ceilings[COUNT_OF(names)];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        snprintf(add(&list, 1, names[i], MEASURED_PROBE, 10, "")->warnings, sizeof list.items->warnings, "%s",
                 i < 2 ? disturbed : "not steady: nine tenths of the samples spread over 42 %");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        ceilings[i] = &list.items[i];
        rows[i] = (struct ceiling_row){.measurement = &list.items[i]};
    }
    for (int table = 0; table < 2; table++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        assert_non_null(stream);
        if (table)
            report_ceilings(stream, rows, COUNT_OF(rows), (struct style){.width = 100});
        else
            report_roofline(stream, &(struct roof_chart){ceilings, COUNT_OF(ceilings), NULL, 0},
                            (struct style){.width = 100});
        assert_int_equal(fclose(stream), 0);
        assert_non_null(strstr(text, "  ! dram-copy, fma-f32: noisy: other programs used 1.8 CPUs\n"));
        assert_int_equal(count_of(text, "noisy:"), 1);
        assert_int_equal(count_of(text, "not steady"), 0);
        free(text);
    }
    measurement_list_free(&list);
}

/* 1000 units in 40 ns, of 50 by the datasheet; one that was refused has no rate. */
static void ceilings_for_programs(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    struct measurement *one = add(&list, 1, "fma-f32", MEASURED_PROBE, 40, "");
    one->threads = 2;
    one->made_at = 1700000000;
    strcpy(one->warnings, "a warning");
    one = add(&list, 1, "l3-read", MEASURED_PROBE, 40, "");
    one->verdict = VERDICT_SKIP;
    strcpy(one->reason, "a GPU has no third cache");
    const struct ceiling_row rows[] = {{&list.items[0], 50, "by hand", true}, {&list.items[1], 0, "", false}};
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_true(report_ceilings_json(out, rows, COUNT_OF(rows)));
    assert_int_equal(fclose(out), 0);
    static const char *const words[] = {
        "\"uskor.ceilings/1\"",
        "\"ceiling\": \"fma-f32\"",
        "\"threads\": 2",
        "\"rate\": 25.0",
        "\"quartile1\": 25.0",
        "\"best\": 25.0",
        "\"samples\": 3",
        "\"datasheet\": 50.0",
        "\"kept\": true",
        "\"made_at\": 1700000000",
        "\"kept\": false",
        "\"samples\": 0",
        "\"rate\": 0.0",
        "\"datasheet\": 0.0",
        "\"warnings\": \"a warning\"",
        "\"datasheet_from\": \"by hand\"",
        "\"reason\": \"a GPU has no third cache\"",
        "\"ceiling\": \"l3-read\"",
    };
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (!strstr(text, words[i]))
            fail_msg("%s is not in %s", words[i], text);
    free(text);
    out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_true(report_ceilings_csv(out, rows, COUNT_OF(rows)));
    assert_int_equal(fclose(out), 0);
    assert_string_equal(
        text, "ceiling,device,device_name,driver,verdict,reason,warnings,datasheet_from,unit,threads,rate,quartile1,"
              "quartile3,best,samples,spread,steady,datasheet,kept,made_at\n"
              "fma-f32,cuda:0,A GPU,,PASS,,a warning,by hand,GFLOP/s,2,25,25,25,25,3,0,1,50,1,1700000000\n"
              "l3-read,cuda:0,A GPU,,SKIP,a GPU has no third cache,,,GFLOP/s,0,0,0,0,0,0,0,0,0,0,0\n");
    free(text);
    FULL(report_ceilings_json(stream, rows, COUNT_OF(rows)));
    FULL(report_ceilings_csv(stream, rows, COUNT_OF(rows)));
    measurement_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ceiling_that_is_named_is_the_ceiling),
        cmocka_unit_test(a_table_has_each_share_and_says_so),
        cmocka_unit_test(a_report_holds_each_rung_against_its_own),
        cmocka_unit_test(a_rung_has_the_probe_of_its_rounds),
        cmocka_unit_test(a_roofline_draws_them_for_the_rungs_on_them),
        cmocka_unit_test(a_roofline_without_a_steady_ceiling_has_numbers),
        cmocka_unit_test(a_disturbed_ceiling_says_so),
        cmocka_unit_test(ceilings_for_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
