/* A publication's tables and conclusions beside today's, as they are shown: on a terminal, as CSV, JSON and HTML. The
 * measurements are made up:
 *
 *   dot, n = 1024 and 2048, whose work is 8192 and 16384 bytes: on the processor 4096 ns each: 2 and 4 GB/s; on cuda:0
 *   1024 and 512 ns: 8 and 32 GB/s, 4 and 8 times as fast; on opencl:0, a processor, 8192 ns: 1 and 2 GB/s, 0.5 times.
 *   The publication's best are 4 and 8 GB/s of its GPU, and 1 and 1.5 of its processor. The ceiling of cuda:0 is 40
 * GB/s. transpose on cuda:0: 4, 1 and 2 us by its groups, where the publication has 8, 4 and 2.5. */
#include <jansson.h>

#include "base/language.h"
#include "publications/reproduction.h"
#include "report/html/chart.h"
#include "report/html/page.h"
#include "report/terminal/reproduction.h"
#include "tables.h"

static struct publication publication;

static int open_shapes(void **state)
{
    (void)state;
    static char text[16384];
    struct error error = {""};
    FILE *file = fopen(USKOR_TEST_DATA "/publication/shapes.json", "r");
    assert_non_null(file);
    const size_t bytes = fread(text, 1, sizeof text, file);
    assert_int_equal(fclose(file), 0);
    if (publication_parse(text, bytes, "shapes.json", &publication, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return 0;
}

static int close_shapes(void **state)
{
    (void)state;
    publication_free(&publication);
    return 0;
}

static struct measurement *on(const char *device, struct measurement *one)
{
    snprintf(one->device, sizeof one->device, "%s", device);
    snprintf(one->device_name, sizeof one->device_name, "today's %s", device);
    one->device_is_cpu = strcmp(device, "cuda:0") != 0;
    return one;
}

static void add_dots(struct measurement_list *list, unsigned n, double cpu, double cuda, double opencl)
{
    char problem[64];
    snprintf(problem, sizeof problem, "dot:n=%u,input=unit,f32", n);
    on("cpu", add(list, problem, "serial", MEASURED_HOST, cpu))->work = 8 * n;
    on("cuda:0", add(list, problem, "tree", MEASURED_DEVICE, cuda))->work = 8 * n;
    on("opencl:0", add(list, problem, "tree", MEASURED_DEVICE, opencl))->work = 8 * n;
    struct measurement *copy = on("cuda:0", add(list, problem, "copy", MEASURED_PROBE, 8.0 * n / 40));
    copy->work = copy->bytes = 8 * n;
}

static struct measurement_list today(void)
{
    static const struct {
        const char *parameters;
        double nanoseconds;
    } shapes[] = {{"BX=1 BY=1", 4000}, {"BX=2 BY=1", 1000}, {"BX=1 BY=2", 2000}};
    struct measurement_list list = {0};
    add_dots(&list, 1024, 4096, 1024, 8192);
    add_dots(&list, 2048, 4096, 512, 8192);
    for (size_t i = 0; i < 3; i++) {
        struct measurement *one =
            add(&list, "transpose:rows=64,cols=64,f32", "naive", MEASURED_DEVICE, shapes[i].nanoseconds);
        strcpy(one->parameters, shapes[i].parameters);
        on("cuda:0", one);
        one = add(&list, "transpose:rows=64,cols=64,f32", "naive", MEASURED_DEVICE, 0);
        strcpy(one->parameters, shapes[i].parameters);
        judged(on("opencl:0", one), i == 1 ? VERDICT_FAIL : VERDICT_SKIP, i == 1 ? "element 7 is wrong" : "no room");
    }
    for (size_t i = 0; i < list.count; i++)
        list.items[i].bytes = list.items[i].work;
    return list;
}

static void build(const struct measurement_list *list, struct reproduction *reproduction)
{
    struct error error;
    const struct here here = {.list = list, .no_cuda = "no driver"};
    assert_int_equal(reproduction_build(&publication, &here, reproduction, &error), STATUS_OK);
}

static void on_a_terminal(void **state)
{
    (void)state;
    struct measurement_list list = today(), nothing = {0};
    struct reproduction reproduction;
    build(&list, &reproduction);
    SHOWS("reproduction", report_reproduction(stream, &reproduction, usual));
    SHOWS("reproduction-60-coloured",
          report_reproduction(stream, &reproduction, (struct style){.colour = true, .width = 60}));
    language_choose(LANGUAGE_RUSSIAN);
    SHOWS("reproduction-ru", report_reproduction(stream, &reproduction, usual));
    language_choose(LANGUAGE_ENGLISH);
    WRITES("reproduction.csv", report_reproduction_csv(stream, &reproduction));
    reproduction_free(&reproduction);
    build(&nothing, &reproduction);
    SHOWS("reproduction-of-nothing", report_reproduction(stream, &reproduction, usual));
    reproduction_free(&reproduction);
    measurement_list_free(&list);
}

static void as_json(void **state)
{
    (void)state;
    struct measurement_list list = today();
    struct reproduction reproduction;
    build(&list, &reproduction);
    char *text = NULL;
    size_t bytes = 0;
    FILE *written = open_memstream(&text, &bytes);
    assert_true(report_reproduction_json(written, &reproduction, &list));
    fclose(written);
    FULL(report_reproduction_json(stream, &reproduction, &list));
    json_t *object = json_loads(text, 0, NULL);
    assert_non_null(object);
    assert_int_equal(json_array_size(json_object_get(object, "measurements")), list.count);
    json_object_del(object, "measurements");
    char *rest = json_dumps(object, JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
    SHOWS("reproduction.json", fputs(rest, stream); fputc('\n', stream));
    json_decref(object);
    free(rest);
    free(text);
    reproduction_free(&reproduction);
    measurement_list_free(&list);
}

static void write_chapter(FILE *stream, const struct reproduction *reproduction)
{
    const struct reproduction_chapter chapter = {reproduction, 1};
    struct page page = {.stream = stream, .only = "none"};
    chapter_reproduction(&page, &chapter);
    assert_int_equal(page.charts, 2);
}

/* The chapter without its drawings. */
static void as_a_chapter(void **state)
{
    (void)state;
    struct measurement_list list = today();
    struct reproduction reproduction;
    build(&list, &reproduction);
    SHOWS("reproduction.html", write_chapter(stream, &reproduction));
    reproduction_free(&reproduction);
    measurement_list_free(&list);
}

/* The lines of a drawing: the heights of their two ends, and whether they are dashed. In the legend both ends are at
 * one height, 22 apart. */
struct drawn {
    double y[2];
    bool is_dashed;
};

static size_t lines_of(const struct reproduction *reproduction, size_t plot, struct drawn *lines, size_t most,
                       size_t *in_legend, size_t *bars)
{
    const struct reproduction_plot data = {reproduction, &publication.plots[plot]};
    char *text = NULL;
    size_t bytes = 0, count = 0;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    struct chart chart = {.stream = stream, .width = CHART_WIDE};
    draw_reproduction(&chart, &data);
    assert_int_equal(fclose(stream), 0);
    *in_legend = *bars = 0;
    for (const char *at = text; (at = strstr(at, "<path class=\"line series-")); at++) {
        const char *form = strstr(at, "d=\"M");
        double x[2], y[2];
        assert_non_null(form);
        if (sscanf(form, "d=\"M%lf %lfL%lf %lf", &x[0], &y[0], &x[1], &y[1]) != 4)
            fail_msg("%.100s", at);
        if (x[0] == x[1]) {
            assert_true(y[0] > y[1]);
            ++*bars;
        } else if (x[1] - x[0] == 22 && y[0] == y[1]) {
            ++*in_legend;
        } else {
            assert_true(count < most && x[0] == 68 && x[1] == chart.right - 8); /* N = 1024 and 2048 */
            for (int i = 0; i < 2; i++)
                assert_true(y[i] > chart.top && y[i] < chart.bottom);
            lines[count++] =
                (struct drawn){{y[0], y[1]}, strncmp(at + strlen("<path class=\"line series-0"), " dashed", 7) == 0};
        }
    }
    free(text);
    return count;
}

/* serial and tree of the publication, dashed, one with a deviation; then serial, and tree on two devices, of today. A
 * factor of two is the same height everywhere. */
static void as_a_drawing(void **state)
{
    (void)state;
    struct measurement_list list = today();
    struct reproduction reproduction;
    struct drawn lines[8];
    size_t in_legend, bars;
    build(&list, &reproduction);
    assert_int_equal(lines_of(&reproduction, 0, lines, 8, &in_legend, &bars), 5);
    assert_int_equal(in_legend, 5);
    assert_int_equal(bars, 1);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(lines[i].is_dashed, i < 2);
    const double twice = lines[2].y[0] - lines[2].y[1]; /* 2 and 4 */
    assert_true(twice > 10);
    assert_float_equal(lines[0].y[0], lines[2].y[0] + twice, 0.21);     /* 1 */
    assert_float_equal(lines[1].y[0], lines[2].y[1], 0.11);             /* 4 */
    assert_float_equal(lines[1].y[1], lines[3].y[0], 0.11);             /* 8 */
    assert_float_equal(lines[3].y[1], lines[3].y[0] - 2 * twice, 0.31); /* 32 */
    assert_float_equal(lines[4].y[0], lines[0].y[0], 0.11);
    assert_float_equal(lines[4].y[1], lines[2].y[0], 0.11);
    assert_int_equal(lines_of(&reproduction, 1, lines, 8, &in_legend, &bars), 2); /* ratios on CUDA alone */
    assert_int_equal(in_legend, 2);
    assert_int_equal(bars, 0);
    assert_true(lines[0].is_dashed && !lines[1].is_dashed);
    assert_float_equal(lines[0].y[0], lines[1].y[0], 0.11); /* 4 and 4; 5.33 and 8 */
    assert_true(lines[1].y[1] < lines[0].y[1]);
    reproduction_free(&reproduction);
    measurement_list_free(&list);
}

static void forms_of_runs(void **state)
{
    (void)state;
    static const struct {
        const char *form;
        enum run_form right;
    } rows[] = {{"memory", RUN_MEMORY_KINDS}, {"program", RUN_PROGRAM}, {"nonsense", RUN_FORMS}};
    static char text[16384], changed[16384];
    FILE *file = fopen(USKOR_TEST_DATA "/publication/shapes.json", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *at = strstr(text, "\"id\": \"n\", ");
    assert_non_null(at);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct publication one;
        struct error error = {""};
        snprintf(changed, sizeof changed, "%.*s\"form\": \"%s\", %s", (int)(at - text), text, rows[i].form, at);
        const enum status status = publication_parse(changed, strlen(changed), "changed", &one, &error);
        assert_int_equal(status, rows[i].right == RUN_FORMS ? STATUS_INVALID : STATUS_OK);
        if (status == STATUS_OK) {
            assert_int_equal(one.runs[2].form, rows[i].right);
            assert_int_equal(one.runs[1].form, RUN_RUNG);
            publication_free(&one);
        } else {
            assert_non_null(strstr(error.text, "form"));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_terminal), cmocka_unit_test(as_json),       cmocka_unit_test(as_a_chapter),
        cmocka_unit_test(as_a_drawing),  cmocka_unit_test(forms_of_runs),
    };
    return cmocka_run_group_tests(tests, open_shapes, close_shapes);
}
