/* Figures that noise voids: how they are shown, written and excluded from choices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/language.h"
#include "base/random.h"
#include "base/size.h"
#include "report/html/chapters.h"
#include "report/html/page.h"
#include "report/model/figures.h"
#include "report/model/vendor_ratio.h"
#include "report/model/view.h"
#include "report/terminal/ceilings.h"
#include "report/terminal/effects.h"
#include "report/terminal/report.h"
#include "report/terminal/roofline.h"
#include "store/noise.h"

#include "table_text.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct measurement *add(struct measurement_list *list, const char *device, const char *problem, const char *rung,
                               enum measured_kind kind)
{
    struct measurement *measurement = measurement_list_add(list);
    assert_non_null(measurement);
    strcpy(measurement->kernel, "transpose");
    snprintf(measurement->problem, sizeof measurement->problem, "%s", problem);
    snprintf(measurement->device, sizeof measurement->device, "%s", device);
    strcpy(measurement->device_name, "A machine");
    strcpy(measurement->rate_unit, "GB/s");
    snprintf(measurement->rung, sizeof measurement->rung, "%s", rung);
    measurement->kind = kind;
    measurement->run = 1;
    measurement->work = measurement->bytes = 1e6;
    measurement->device_is_cpu = strcmp(device, "cuda:0") != 0;
    strcpy(measurement->ceiling, kind == MEASURED_PROBE ? "" : "copy");
    return measurement;
}

/* This many samples of `first`, every `period`th of `other`. */
static void time_it(struct measurement *measurement, uint32_t count, double first, double other, uint32_t period)
{
    for (uint32_t i = 0; i < count; i++)
        assert_true(samples_add(&measurement->phases[PHASE_COMPUTE], period && i % period == 0 ? other : first, i));
}

static bool is_void_of(uint32_t count, double first, double other, uint32_t period)
{
    struct measurement_list list = {0};
    struct measurement *measurement = add(&list, "cpu", "transpose:rows=4,cols=4,f32", "serial", MEASURED_HOST);
    time_it(measurement, count, first, other, period);
    bool is_void = measurement_is_void(measurement);
    measurement_list_free(&list);
    return is_void;
}

static void two_states_as_frequent_as_each_other_void_a_median(void **state)
{
    (void)state;
    assert_true(is_void_of(40, 100, 10000, 2));
    assert_true(is_void_of(5, 100, 10000, 2));
    assert_false(is_void_of(40, 100, 10000, 10)); /* a disturbance now and then is what medians are for */
    assert_false(is_void_of(40, 100, 120, 2));
    assert_false(is_void_of(1, 100, 0, 0));
    assert_false(is_void_of(0, 100, 0, 0));
    assert_false(is_void_of(5, 100, 10000, 5));
}

/* On any machine, a speed-up that is shown agrees with the times beside it. */
static void a_speed_up_agrees_with_the_medians(void **state)
{
    struct random random;
    size_t shown = 0;
    (void)state;
    random_seed(&random, 11);
    for (int trial = 0; trial < 400; trial++) {
        struct measurement_list list = {0};
        for (int m = 0; m < 2; m++) {
            struct measurement *measurement =
                add(&list, "cpu", "transpose:rows=4,cols=4,f32", m ? "b" : "a", MEASURED_HOST);
            const double base = 100 * (1 + random_double(&random)), slow = 1 + 100 * random_double(&random);
            const double often = random_double(&random);
            for (uint32_t i = 0; i < 30; i++)
                samples_add(&measurement->phases[PHASE_COMPUTE], base * (random_double(&random) < often ? slow : 1), i);
        }
        const struct measured_ratio ratio = measurement_compare(&list.items[0], &list.items[1]);
        const double a = measurement_summary(&list.items[0], PHASE_COMPUTE).median;
        const double b = measurement_summary(&list.items[1], PHASE_COMPUTE).median;
        assert_true(ratio.is_void != (ratio.value > 0));
        if (ratio.value > 0) {
            shown++;
            assert_true((ratio.value >= 1) == (a <= b));
            assert_true(ratio.value < 1000);
        }
        measurement_list_free(&list);
    }
    assert_true(shown > 20);
}

/* A ceiling, a first rung, one that is steady, and one that noise voids though its median is the least. */
static struct measurement_list noisy_ladder(void)
{
    static const char problem[] = "transpose:rows=64,cols=64,f32";
    struct measurement_list list = {0};
    time_it(add(&list, "cpu", problem, "copy", MEASURED_PROBE), 20, 100, 0, 0);
    time_it(add(&list, "cpu", problem, "serial", MEASURED_HOST), 20, 1000, 0, 0);
    time_it(add(&list, "cpu", problem, "steady", MEASURED_HOST), 20, 400, 0, 0);
    time_it(add(&list, "cpu", problem, "noisy", MEASURED_HOST), 21, 120, 90000, 2);
    return list;
}

static void a_library_that_noise_voids_is_named_so(void **state)
{
    (void)state;
    struct measurement_list list = noisy_ladder();
    struct error error;
    struct view view;
    char text[64];
    time_it(add(&list, "cpu", "transpose:rows=64,cols=64,f32", "wide", MEASURED_HOST), 7, 250, 350, 2);
    time_it(add(&list, "cpu", "transpose:rows=64,cols=64,f32", "openblas", MEASURED_VENDOR), 7, 800, 1120, 2);
    assert_int_equal(view_make(&list, &view, &error), STATUS_OK);
    assert_string_equal(ladder_against_vendor(&view.kernels[0].ladders[0], text, sizeof text), "openblas: too noisy");
    view_free(&view);
    measurement_list_free(&list);
}

static void a_void_figure_is_said_to_be_so(void **state)
{
    (void)state;
    struct measurement_list list = noisy_ladder();
    static const int widths[] = {80, 120};
    for (size_t w = 0; w < COUNT_OF(widths); w++) {
        char *english = table_text(&list, LANGUAGE_ENGLISH, widths[w]);
        char *russian = table_text(&list, LANGUAGE_RUSSIAN, widths[w]);
        assert_non_null(strstr(english, "—, too noisy"));
        assert_non_null(strstr(russian, "—, слишком шумно"));
        assert_non_null(strstr(english, "PASS"));
        assert_non_null(strstr(english, "2.50×"));
        assert_null(strstr(english, "37450")); /* ± of the noise */
        free(english);
        free(russian);
    }
    measurement_list_free(&list);
}

/* A first rung that is noisy leaves others without a speed-up, and says nothing of their shares. */
static void a_remark_is_about_what_is_missing(void **state)
{
    (void)state;
    static const char problem[] = "transpose:rows=64,cols=64,f32";
    struct measurement_list list = {0};
    time_it(add(&list, "cpu", problem, "copy", MEASURED_PROBE), 20, 100, 0, 0);
    time_it(add(&list, "cpu", problem, "serial", MEASURED_HOST), 21, 1000, 1900, 2);
    time_it(add(&list, "cpu", problem, "steady", MEASURED_HOST), 20, 400, 0, 0);
    time_it(add(&list, "cpu", problem, "once", MEASURED_HOST), 1, 500, 0, 0);
    char *text = table_text(&list, LANGUAGE_ENGLISH, 120);
    assert_non_null(strstr(text, "! serial: too noisy for a share of the ceiling\n"));
    assert_non_null(strstr(text, "! copy, steady, once: too noisy for a speed-up\n"));
    assert_non_null(strstr(text, "25.0%")); /* steady, of the copy */
    assert_null(strstr(text, "all rungs"));
    assert_non_null(strstr(text, "once           500 ns ±   — ")); /* one run has no spread */
    free(text);
    measurement_list_free(&list);
}

static void programs_get_null_and_a_flag(void **state)
{
    (void)state;
    struct measurement_list list = noisy_ladder();
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_true(report_json(stream, &list));
    fclose(stream);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    const json_t *noisy = json_array_get(root, 3), *steady = json_array_get(root, 2);
    assert_true(json_is_null(json_object_get(noisy, "rate")));
    assert_true(json_is_null(json_object_get(noisy, "of_ceiling")));
    assert_string_equal(json_string_value(json_object_get(noisy, "too_noisy")), "figure");
    assert_true(json_real_value(json_object_get(steady, "of_ceiling")) == 0.25);
    assert_string_equal(json_string_value(json_object_get(steady, "too_noisy")), "");
    json_decref(root);
    free(text);
    stream = open_memstream(&text, &size);
    assert_true(report_csv(stream, &list));
    fclose(stream);
    const char *row = strstr(text, ",noisy,");
    assert_non_null(row);
    assert_non_null(strstr(row, ",figure,"));
    assert_non_null(strstr(row, ",,GB/s,,")); /* neither rate nor share */
    free(text);
    measurement_list_free(&list);
}

/* A row of every table: steady on one device, and noisy, with a median of 90 µs, on another. */
static struct measurement_list two_devices(const char *one, const char *other)
{
    static const char problem[] = "transpose:rows=64,cols=64,f32";
    struct measurement_list list = {0};
    struct measurement *steady = add(&list, one, problem, "tiled", MEASURED_DEVICE);
    strcpy(steady->parameters, "devices=1");
    time_it(steady, 20, 1000, 0, 0);
    const bool is_host = strcmp(other, "cpu") == 0;
    struct measurement *noisy = add(&list, other, problem, "tiled", is_host ? MEASURED_HOST : MEASURED_DEVICE);
    strcpy(noisy->parameters, "devices=2");
    time_it(noisy, 21, 120, 90000, 2);
    for (size_t i = 0; i < list.count; i++)
        for (size_t s = 0; s < list.items[i].phases[PHASE_COMPUTE].count; s++) {
            const struct sample *sample = &list.items[i].phases[PHASE_COMPUTE].items[s];
            samples_add(&list.items[i].phases[PHASE_END_TO_END], sample->nanoseconds, sample->round);
        }
    return list;
}

static void several_devices_text(FILE *stream, const struct measurement_list *list, struct style style)
{
    report_several_devices(stream, list, false, style);
}

static void ceilings_text(FILE *stream, const struct measurement_list *list, struct style style)
{
    const struct ceiling_row rows[] = {{.measurement = &list->items[0]}, {.measurement = &list->items[1]}};
    report_ceilings(stream, rows, COUNT_OF(rows), style);
}

static void effect_text(FILE *stream, const struct measurement_list *list, struct style style)
{
    struct effect_chart chart = {.name = "stride", .title = "", .lesson = "", .axis = "", .parameter = "", .count = 1};
    struct effect_series *series = &chart.series[0];
    for (series->count = 0; series->count < 2; series->count++)
        series->points[series->count] =
            (struct effect_point){.value = (int64_t)series->count + 1,
                                  .was_run = true,
                                  .verdict = VERDICT_PASS,
                                  .time = measurement_summary(&list->items[series->count], PHASE_COMPUTE)};
    report_effect(stream, &chart, style);
    report_effect_legend(stream, &chart, 1, style);
}

static void no_other_table_shows_a_void_figure(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *one, *other, *says;
        void (*print)(FILE *stream, const struct measurement_list *list, struct style style);
    } tables[] = {
        {"transpose", "cuda:0", "cuda:0", "—, too noisy", several_devices_text},
        {"transpose", "cuda:0", "opencl:0", "noisy", report_technologies},
        {"transpose", "opencl:0", "cpu", "CPU: tiled, noisy\n  rung                    OpenCL    CPU : OpenCL\n",
         report_technologies},
        {"memory", "cuda:0", "cuda:0", "—, too noisy", report_memory_kinds},
        {"ceiling", "cuda:0", "cuda:0", "—, too noisy", ceilings_text},
        {"effect", "cuda:0", "cuda:0", "—: the samples lie too far apart", effect_text},
    };
    for (size_t t = 0; t < COUNT_OF(tables); t++) {
        struct measurement_list list = two_devices(tables[t].one, tables[t].other);
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        for (size_t i = 0; i < list.count; i++)
            strcpy(list.items[i].kernel, tables[t].kernel);
        tables[t].print(stream, &list, (struct style){.width = 120});
        fclose(stream);
        if (!strstr(text, tables[t].says) || strstr(text, "90.0 µs") || strstr(text, "11.11 GB"))
            fail_msg("%zu: %s", t, text);
        free(text);
        measurement_list_free(&list);
    }
}

static void noise_is_never_the_fastest(void **state)
{
    (void)state;
    struct measurement_list list = noisy_ladder();
    struct view view;
    struct error error;
    assert_int_equal(view_make(&list, &view, &error), STATUS_OK);
    assert_int_equal(view.ladder_count, 1);
    assert_string_equal(view.ladders[0].fastest->measurement->rung, "steady");
    assert_int_equal(view.ladders[0].passed, 3);
    view_free(&view);
    measurement_list_free(&list);
}

/* How the report's first screen begins the row of a device. */
static bool leads(const struct measurement_list *list, const char *device, bool *has_size)
{
    struct view view;
    struct error error;
    char *text = NULL, start[64];
    size_t size = 0;
    assert_int_equal(view_make(list, &view, &error), STATUS_OK);
    FILE *stream = open_memstream(&text, &size);
    struct page page = {.stream = stream};
    struct report report = {.view = &view};
    chapter_glance(&page, &report);
    fclose(stream);
    snprintf(start, sizeof start, "<td class=\"device\">%s", device);
    const char *cell = strstr(text, start);
    assert_non_null(cell);
    *has_size = strstr(text, "rows=1024,cols=1024,f32") != NULL;
    const char *row = cell;
    while (strncmp(row, "<tr", 3) != 0)
        row--;
    bool is_lead = strstr(row, "lead") && strstr(row, "lead") < cell;
    free(text);
    view_free(&view);
    return is_lead;
}

static void a_best_is_marked_among_equal_problems_only(void **state)
{
    (void)state;
    static const char large[] = "transpose:rows=4096,cols=4096,f32", small[] = "transpose:rows=1024,cols=1024,f32";
    bool has_size;
    for (int same = 0; same < 2; same++) {
        struct measurement_list list = {0};
        time_it(add(&list, "cpu", large, "serial", MEASURED_HOST), 20, 3000, 0, 0);
        time_it(add(&list, "cpu", large, "simd", MEASURED_HOST), 20, 1000, 0, 0);
        time_it(add(&list, "opencl:0", same ? large : small, "naive", MEASURED_DEVICE), 20, 100, 0, 0);
        assert_int_equal(leads(&list, "opencl:0", &has_size), same);
        assert_int_equal(has_size, !same);
        assert_false(leads(&list, "cpu", &has_size));
        measurement_list_free(&list);
    }
}

/* Data that fit a cache are compared with the probe of the same bytes, not with main memory. */
static void a_point_of_the_roofline_has_the_roof_of_its_data(void **state)
{
    (void)state;
    struct measurement_list list = {0}, ceilings = {0};
    static const char problem[] = "wave:nx=64,ny=64,steps=10,f32";
    struct measurement *dram = add(&ceilings, "cpu", "ceiling:what=dram-read", "dram-read", MEASURED_PROBE);
    strcpy(dram->kernel, "ceiling");
    time_it(dram, 20, 1e5, 0, 0);                                                  /* 10 GB/s */
    time_it(add(&list, "cpu", problem, "streams", MEASURED_PROBE), 20, 1e4, 0, 0); /* 100 GB/s, of a cache */
    struct measurement *rung = add(&list, "cpu", problem, "fused", MEASURED_HOST);
    rung->operations = 2e6;
    time_it(rung, 20, 1.25e4, 0, 0);
    const struct measurement *const all[] = {dram};
    struct roof_chart chart = {.ceilings = all, .ceiling_count = 1};
    struct roof_mark mark;
    assert_true(roof_mark_make(&chart, &list, &list.items[1], &mark));
    assert_true(mark.by_memory);
    assert_true(mark.rate / mark.roof > 0.79 && mark.rate / mark.roof < 0.81);
    /* A noisy probe voids its share of memory; what arithmetic bounds stays bound by arithmetic. */
    struct measurement *fma = add(&ceilings, "cpu", "ceiling:what=fma-f32", "fma-f32", MEASURED_PROBE);
    strcpy(fma->kernel, "ceiling");
    fma->work = 4e6;
    time_it(fma, 20, 1e5, 0, 0); /* 40 GFLOP/s, below the 200 that the probe's rate allows */
    const struct measurement *const both[] = {&ceilings.items[0], &ceilings.items[1]};
    chart = (struct roof_chart){.ceilings = both, .ceiling_count = 2};
    struct samples *probe = &list.items[0].phases[PHASE_COMPUTE];
    for (size_t i = 0; i < probe->count; i += 2)
        probe->items[i].nanoseconds *= 3;
    assert_true(figures_ratio(&list.items[1], &list.items[0]).is_void);
    assert_true(roof_mark_make(&chart, &list, &list.items[1], &mark));
    assert_true(!mark.by_memory && mark.roof == 40);
    measurement_list_free(&list);
    measurement_list_free(&ceilings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_states_as_frequent_as_each_other_void_a_median),
        cmocka_unit_test(a_speed_up_agrees_with_the_medians),
        cmocka_unit_test(a_library_that_noise_voids_is_named_so),
        cmocka_unit_test(a_void_figure_is_said_to_be_so),
        cmocka_unit_test(a_remark_is_about_what_is_missing),
        cmocka_unit_test(programs_get_null_and_a_flag),
        cmocka_unit_test(no_other_table_shows_a_void_figure),
        cmocka_unit_test(noise_is_never_the_fastest),
        cmocka_unit_test(a_best_is_marked_among_equal_problems_only),
        cmocka_unit_test(a_point_of_the_roofline_has_the_roof_of_its_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
