/* Speed over accuracy as a drawing: a rung's line goes from its least accurate inputs to its most accurate ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "report/html/chart.h"
#include "report/html/charts.h"
#include "report/model/accuracy.h"

#include <cmocka.h> /* last: it has a macro called fail */

enum { INPUTS = 5 };
static const char *const inputs[INPUTS] = {"uniform", "normal", "wide", "exact", "endless"};

/* A drawing of one rung on these inputs: an error of 0 and one that is not finite have no place. */
static char *drawn(const double errors[INPUTS])
{
    static struct measurement measurement = {.rung = "tiled", .rate_unit = "GFLOP/s", .kind = MEASURED_DEVICE};
    struct accuracy_point points[INPUTS];
    const char *names[INPUTS], *rung = measurement.rung;
    for (size_t i = 0; i < INPUTS; i++) {
        points[i] = (struct accuracy_point){&measurement, {.relative = errors[i]}, 100 + 10 * (double)i, ""};
        strcpy(points[i].input, inputs[i]);
        names[i] = inputs[i];
    }
    const struct accuracy_chart of = {
        .points = points, .count = INPUTS, .inputs = names, .input_count = INPUTS, .rungs = &rung, .rung_count = 1};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    struct chart chart = {.stream = stream, .width = CHART_WIDE};
    draw_accuracy(&chart, &of);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* The line's places, from left to right, and the marks' inputs along it. */
static void expect_line(const double errors[INPUTS], const char *const order[], size_t count)
{
    char *text = drawn(errors);
    const char *at = strstr(text, "<path class=\"line series-0\" d=\"M");
    double before = -INFINITY;
    size_t places = 0;
    assert_non_null(at);
    for (at += strlen("<path class=\"line series-0\" d=\""); *at == 'M' || *at == 'L'; places++) {
        char *end;
        const double x = strtod(at + 1, &end);
        strtod(end, &end);
        assert_true(x > before);
        before = x;
        at = end;
    }
    assert_int_equal(places, count);
    for (size_t i = 0; i < count; i++) {
        char tip[64];
        snprintf(tip, sizeof tip, "tiled, inputs: %s\n", order[i]);
        at = strstr(at, tip);
        assert_non_null(at);
    }
    free(text);
}

static void in_order_of_accuracy(void **state)
{
    (void)state;
    expect_line((const double[]){1e-3, 1e-4, 1e-5, 0, INFINITY}, (const char *const[]){"uniform", "normal", "wide"}, 3);
    expect_line((const double[]){1e-5, 1e-4, 1e-3, 0, INFINITY}, (const char *const[]){"wide", "normal", "uniform"}, 3);
    expect_line((const double[]){1e-4, 1e-3, 1e-5, 1e-2, NAN},
                (const char *const[]){"exact", "normal", "uniform", "wide"}, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_order_of_accuracy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
