/* Effects, rooflines and errors of figures that nobody measured: as people and programs read them.
 *
 * An effect: times of 100, 200 and 400 ns, quartiles 5 % to either side: ±5.0 %, 1, 2 and 4 times the first; the model
 * says 90 and 210. A roofline: 100 GFLOP/s and, of main memory, 10 GB/s: at 0.25 operations per byte 2.5 GFLOP/s, of
 * which dot has 2; at 1000 per byte 100, of which matmul has 80. Errors: 4096³ products are 137.4 G operations: in 10
 * ms 13744 GFLOP/s, in 40 ms 3436. */
#include <jansson.h>
#include <math.h>

#include "base/language.h"
#include "base/size.h"
#include "report/export/json.h"
#include "report/terminal/accuracy.h"
#include "report/terminal/effects.h"
#include "report/terminal/roofline.h"
#include "tables.h"

static struct effect_point measured(int64_t value, double median, double predicted)
{
    struct effect_point point = {.value = value, .was_run = true, .verdict = VERDICT_PASS, .predicted = predicted};
    point.time = (struct summary){.count = 12,
                                  .minimum = 0.9 * median,
                                  .quartile1 = 0.95 * median,
                                  .median = median,
                                  .quartile3 = 1.05 * median,
                                  .maximum = 1.1 * median,
                                  .mean = median,
                                  .low = 0.95 * median,
                                  .high = 1.05 * median};
    snprintf(point.bound_by, sizeof point.bound_by, "%s", predicted > 0 ? "dram" : "");
    return point;
}

static struct effect_point refused(int64_t value, enum verdict verdict, const char *reason)
{
    struct effect_point point = {.value = value, .was_run = true, .verdict = verdict};
    snprintf(point.reason, sizeof point.reason, "%s", reason);
    return point;
}

static void make_effect(struct effect_chart *chart)
{
    *chart = (struct effect_chart){.name = "strides",
                                   .title = "far apart",
                                   .lesson = "the farther, the slower",
                                   .axis = "words from one access to the next",
                                   .parameter = "STRIDE",
                                   .device = "cuda:0",
                                   .device_name = "A GPU",
                                   .problem = "transpose:rows=64,cols=64,f32",
                                   .count = 3};
    struct effect_series *reads = &chart->series[0], *writes = &chart->series[1], *both = &chart->series[2];
    strcpy(reads->name, "reads");
    strcpy(reads->idea, "each item reads one word");
    strcpy(reads->no_prediction, "an address is not known");
    reads->points[reads->count++] = measured(1, 100, 90);
    reads->points[reads->count++] = measured(2, 200, 210);
    reads->points[reads->count++] = measured(4, 400, 0);
    strcpy(writes->name, "writes");
    strcpy(writes->idea, "each item writes one word");
    writes->points[writes->count++] = refused(1, VERDICT_SKIP, "no room");
    writes->points[writes->count++] = refused(2, VERDICT_SKIP, "no room");
    strcpy(both->name, "both");
    strcpy(both->idea, "each item reads and writes");
    both->points[both->count++] = measured(1, 50, 0);
    both->points[both->count - 1].time.count = 1;
    both->points[both->count++] = refused(2, VERDICT_FAIL, "element 7 is wrong");
    both->points[both->count++] = (struct effect_point){.value = 4};
}

static void an_effect(void **state)
{
    (void)state;
    static struct effect_chart charts[2];
    make_effect(&charts[0]);
    charts[1] = charts[0];
    strcpy(charts[1].device, "");
    charts[1].count = 1;
    charts[1].steps = 10;
    for (size_t i = 0; i < 3; i++) /* predicted only */
        charts[1].series[0].points[i].was_run = false, charts[1].series[0].points[i].time = (struct summary){0};
    SHOWS("effect", report_effect(stream, &charts[0], usual); report_effect_legend(stream, charts, 1, usual));
    SHOWS("effect-60-coloured", report_effect(stream, &charts[0], (struct style){.colour = true, .width = 60}));
    SHOWS("effect-predicted", report_effect(stream, &charts[1], usual); report_effect_legend(stream, charts, 2, usual));
    WRITES("effects.csv", report_effects_csv(stream, charts, 2));
    WRITES("effects.json", report_effects_json(stream, charts, 1));
    assert_true(effect_chart_longest(&charts[0]) == 400);
    assert_true(effect_point_ratio(&charts[0].series[0], 2) == 4);
    assert_true(effect_point_ratio(&charts[1].series[0], 1) == 210.0 / 90);
    assert_string_equal(effect_series_reason(&charts[0].series[1]), "no room");
    assert_null(effect_series_reason(&charts[0].series[2]));
}

static struct measurement *timed(struct measurement_list *list, const char *problem, const char *rung,
                                 enum measured_kind kind, double operations, double bytes, double nanoseconds)
{
    struct measurement *one = add(list, problem, rung, kind, nanoseconds);
    one->operations = operations;
    one->bytes = bytes;
    one->work = operations > 0 ? operations : bytes;
    strcpy(one->rate_unit, operations > 0 ? "GFLOP/s" : "GB/s");
    strcpy(one->ceiling, "");
    return one;
}

static void a_roofline(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    timed(&list, "ceiling", "fma-f32", MEASURED_PROBE, 1e6, 0, 1e4);
    timed(&list, "ceiling", "dram-copy", MEASURED_PROBE, 0, 1e6, 1e5);
    timed(&list, "ceiling", "dram-read", MEASURED_PROBE, 0, 1e6, 125e3); /* 8 GB/s: copy is the higher */
    timed(&list, "dot:n=500000,f32", "tree", MEASURED_DEVICE, 1e6, 4e6, 5e5);
    strcpy(timed(&list, "matmul:m=793,n=793,k=793,f32", "tiled", MEASURED_DEVICE, 1e9, 1e6, 12.5e6)->parameters,
           "TILE=16, \"so\"");
    judged(timed(&list, "dot:n=500000,f32", "wrong", MEASURED_DEVICE, 1e6, 4e6, 5e5), VERDICT_FAIL, "wrong");
    timed(&list, "sort:n=500000,f32", "radix", MEASURED_DEVICE, 0, 4e6, 5e5); /* no arithmetic */
    const struct measurement *ceilings[] = {&list.items[0], &list.items[1], &list.items[2]};
    struct roof_mark marks[8];
    struct roof_chart chart = {.ceilings = ceilings, .ceiling_count = 3, .marks = marks};
    for (size_t i = 3; i < list.count; i++)
        chart.mark_count += roof_mark_make(&chart, NULL, &list.items[i], &marks[chart.mark_count]);
    assert_int_equal(chart.mark_count, 2);
    assert_true(fabs(marks[0].roof - 2.5) < 1e-9 && marks[0].by_memory && fabs(marks[0].rate - 2) < 1e-9);
    assert_true(fabs(marks[1].roof - 100) < 1e-9 && !marks[1].by_memory && fabs(marks[1].intensity - 1000) < 1e-9);
    SHOWS("roofline", report_roofline(stream, &chart, usual));
    SHOWS("roofline-60-coloured", report_roofline(stream, &chart, (struct style){.colour = true, .width = 60}));
    WRITES("roofline.csv", report_roofline_csv(stream, &chart, 1));
    WRITES("roofline.json", report_roofline_json(stream, &chart, 1));
    measurement_list_free(&list);
}

/* The probe of the same bytes in the same run is the roof of what a cache may hold. */
static void beside_a_probe(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    timed(&list, "ceiling", "fma-f32", MEASURED_PROBE, 1e6, 0, 1e4);
    timed(&list, "ceiling", "dram-copy", MEASURED_PROBE, 0, 1e6, 1e5);
    timed(&list, "dot:n=500000,f32", "copy", MEASURED_PROBE, 0, 4e6, 1e5);
    timed(&list, "dot:n=500000,f32", "tree", MEASURED_DEVICE, 1e6, 4e6, 2e5);
    const struct measurement *ceilings[] = {&list.items[0], &list.items[1]};
    const struct roof_chart chart = {.ceilings = ceilings, .ceiling_count = 2};
    struct roof_mark mark;
    assert_true(roof_mark_make(&chart, &list, &list.items[3], &mark));
    assert_true(fabs(mark.roof - 10) < 1e-9 && mark.by_memory && fabs(mark.rate - 5) < 1e-9);
    list.items[2].run = 2; /* of another run: no neighbour */
    assert_true(roof_mark_make(&chart, &list, &list.items[3], &mark));
    assert_true(fabs(mark.roof - 2.5) < 1e-9);
    measurement_list_free(&list);
}

static void errors_beside_rates(void **state)
{
    (void)state;
    static const struct {
        const char *rung, *input;
        double ms, relative, componentwise, largest;
    } rows[] = {
        {"fp32", "uniform", 40, 2e-7, 3e-8, 1e-4}, {"fp32", "wide", 40, 4e-7, 5e-8, 2e+3},
        {"bf16", "uniform", 10, 3e-3, 1e-4, 1},    {"bf16", "wide", 10, INFINITY, INFINITY, INFINITY},
        {"fp16", "uniform", 1, 1e-1, 1e-1, 9},
    };
    struct measurement_list list = {0};
    struct accuracy_list errors = {0};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char problem[96];
        snprintf(problem, sizeof problem, "accuracy:matmul:m=4096,n=4096,k=4096,input=%s,f32", rows[i].input);
        struct measurement *one =
            timed(&list, problem, rows[i].rung, MEASURED_DEVICE, 2.0 * 4096 * 4096 * 4096, 1, 1e6 * rows[i].ms);
        strcpy(one->device_name, "NVIDIA H200");
        strcpy(one->detail, i < 2 ? "one product at a time" : "");
        assert_true(accuracy_list_add(
            &errors, &(struct accuracy){i, rows[i].relative, rows[i].componentwise, rows[i].largest, 64, 4096}));
    }
    judged(&list.items[4], VERDICT_FAIL, "too far off"); /* no point of a chart */
    judged(timed(&list, "accuracy:matmul:m=4096,n=4096,k=4096,input=wide,f32", "mma", MEASURED_DEVICE, 1, 1, 0),
           VERDICT_SKIP, "no tensor cores");
    SHOWS("accuracy", report_accuracy(stream, &list, &errors, usual));
    SHOWS("accuracy-50", report_accuracy(stream, &list, &errors, (struct style){.width = 50}));
    char *text = NULL;
    size_t size = 0;
    FILE *written = open_memstream(&text, &size);
    assert_true(report_json_accuracy(written, &list, &errors));
    fclose(written);
    json_t *array = json_loads(text, 0, NULL);
    assert_int_equal(json_array_size(array), list.count);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const json_t *accuracy = json_object_get(json_array_get(array, i), "accuracy");
        const json_t *relative = json_object_get(accuracy, "relative");
        if (isinf(rows[i].relative))
            assert_string_equal(json_string_value(relative), "infinite");
        else
            assert_true(json_real_value(relative) == rows[i].relative);
        assert_int_equal(json_integer_value(json_object_get(accuracy, "all_rows")), 4096);
    }
    assert_null(json_object_get(json_array_get(array, COUNT_OF(rows)), "accuracy"));
    json_decref(array);
    free(text);
    accuracy_list_free(&errors);
    measurement_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_effect),
        cmocka_unit_test(a_roofline),
        cmocka_unit_test(beside_a_probe),
        cmocka_unit_test(errors_beside_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
