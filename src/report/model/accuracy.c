#include "report/model/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/model/figures.h"

#define PREFIX "accuracy:"

/* GEMMul8 (INT8 tensor cores, Ozaki's second scheme; R. Uchino, K. Ozaki and T. Imamura), 7 moduli, measured on an H200
 * with its own program. Errors of the fast mode are of inputs up to 17 binades; it is useless beyond. */
static const struct cited_accuracy cited[] = {
    {"GEMMul8 fast", N_("GEMMul8, 7 moduli, measured with its own program"), "H200", 4096, 95, 7e-7, 2e-6},
    {"GEMMul8 accurate", N_("GEMMul8, 7 moduli, measured with its own program"), "H200", 4096, 80, 1.5e-7, 7e-7},
    {"GEMMul8 fast", N_("GEMMul8, 7 moduli, measured with its own program"), "H200", 8192, 141, 7e-7, 2e-6},
    {"GEMMul8 accurate", N_("GEMMul8, 7 moduli, measured with its own program"), "H200", 8192, 124, 1.5e-7, 7e-7},
    {"GEMMul8 fast", N_("GEMMul8, 7 moduli, measured with its own program"), "H200", 16384, 207, 7e-7, 2e-6},
    {"GEMMul8 accurate", N_("GEMMul8, 7 moduli, measured with its own program"), "H200", 16384, 176, 1.5e-7, 7e-7},
};

static bool is_accuracy(const struct measurement *measurement)
{
    return strcmp(measurement->kernel, "accuracy") == 0;
}

/* "accuracy:matmul:m=4,input=wide,f32" is "matmul:m=4,f32" with the input "wide". */
static void split_problem(const char *problem, char *size, size_t size_bytes, char *input, size_t input_bytes)
{
    const char *text = strncmp(problem, PREFIX, strlen(PREFIX)) == 0 ? problem + strlen(PREFIX) : problem;
    const char *at = strstr(text, "input=");
    const size_t length = at ? strcspn(at + 6, ",") : 0;
    snprintf(size, size_bytes, "%.*s%s", at ? (int)(at - text) : (int)strlen(text), text,
             !at              ? ""
             : at[6 + length] ? at + 6 + length + 1
                              : "");
    snprintf(input, input_bytes, "%.*s", (int)length, at ? at + 6 : "");
}

static struct accuracy_chart *chart_of(struct accuracy_charts *charts, const struct measurement *measurement,
                                       const char *size)
{
    for (size_t i = 0; i < charts->count; i++)
        if (strcmp(charts->items[i].size, size) == 0 &&
            strcmp(charts->items[i].points[0].measurement->device, measurement->device) == 0 &&
            strcmp(charts->items[i].points[0].measurement->device_name, measurement->device_name) == 0)
            return &charts->items[i];
    return NULL;
}

static bool add_name(const char ***names, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*names)[i], name) == 0)
            return true;
    if (!array_grow(names, *count, sizeof **names))
        return false;
    (*names)[(*count)++] = name;
    return true;
}

static bool add_point(struct accuracy_charts *charts, const char *size, const struct accuracy_point *point)
{
    struct accuracy_chart *chart = chart_of(charts, point->measurement, size);
    if (!chart) {
        if (!array_grow(&charts->items, charts->count, sizeof *charts->items))
            return false;
        chart = &charts->items[charts->count++];
        *chart = (struct accuracy_chart){.count = 0};
        snprintf(chart->size, sizeof chart->size, "%s", size);
    }
    for (size_t i = 0; i < chart->count; i++)
        if (strcmp(chart->points[i].measurement->rung, point->measurement->rung) == 0 &&
            strcmp(chart->points[i].input, point->input) == 0) {
            chart->points[i] = *point;
            return true;
        }
    if (!array_grow(&chart->points, chart->count, sizeof *chart->points))
        return false;
    chart->points[chart->count++] = *point;
    return true;
}

static bool name_all(struct accuracy_chart *chart)
{
    for (size_t i = 0; i < chart->count; i++)
        if (!add_name(&chart->inputs, &chart->input_count, chart->points[i].input) ||
            !add_name(&chart->rungs, &chart->rung_count, chart->points[i].measurement->rung))
            return false;
    return true;
}

bool accuracy_charts_make(const struct measurement_list *list, accuracy_of *errors, const void *context,
                          struct accuracy_charts *charts)
{
    *charts = (struct accuracy_charts){0};
    for (size_t i = 0; i < list->count; i++) {
        char size[256];
        struct accuracy_point point = {.measurement = &list->items[i]};
        if (!is_accuracy(point.measurement) || point.measurement->verdict != VERDICT_PASS ||
            !errors(context, point.measurement, &point.errors))
            continue;
        point.rate = figures_rate(point.measurement);
        split_problem(point.measurement->problem, size, sizeof size, point.input, sizeof point.input);
        if (!add_point(charts, size, &point))
            return false;
    }
    for (size_t i = 0; i < charts->count; i++)
        if (!name_all(&charts->items[i]))
            return false;
    return true;
}

void accuracy_charts_free(struct accuracy_charts *charts)
{
    for (size_t i = 0; i < charts->count; i++) {
        free(charts->items[i].points);
        free(charts->items[i].inputs);
        free(charts->items[i].rungs);
    }
    free(charts->items);
    *charts = (struct accuracy_charts){0};
}

const struct accuracy_point *accuracy_find(const struct accuracy_chart *chart, const char *rung, const char *input)
{
    for (size_t i = 0; i < chart->count; i++)
        if (strcmp(chart->points[i].measurement->rung, rung) == 0 && strcmp(chart->points[i].input, input) == 0)
            return &chart->points[i];
    return NULL;
}

struct accuracy_range accuracy_range_of(const struct accuracy_chart *chart, const char *rung)
{
    struct accuracy_range range = {.low = INFINITY};
    double rates[64];
    size_t count = 0;
    for (size_t i = 0; i < chart->input_count; i++) {
        const struct accuracy_point *point = accuracy_find(chart, rung, chart->inputs[i]);
        if (!point)
            continue;
        if (point->rate > 0 && count < COUNT_OF(rates))
            rates[count++] = point->rate;
        if (isinf(point->errors.relative)) {
            range.infinite++;
            continue;
        }
        range.finite++;
        range.low = fmin(range.low, point->errors.relative);
        range.high = fmax(range.high, point->errors.relative);
    }
    range.rate = statistics_median(rates, count);
    return range;
}

/* m = n = k of the problem; 0: no cube. */
static double side_of(const char *size)
{
    double m = 0, n = 0, k = 0;
    return sscanf(size, "matmul:m=%lf,n=%lf,k=%lf", &m, &n, &k) == 3 && m == n && n == k ? m : 0;
}

const struct cited_accuracy *accuracy_cited(const struct accuracy_chart *chart, const struct cited_accuracy *last)
{
    const double side = side_of(chart->size);
    for (const struct cited_accuracy *each = last ? last + 1 : cited; each < cited + COUNT_OF(cited); each++)
        if (each->size == side && strstr(chart->points[0].measurement->device_name, each->device))
            return each;
    return NULL;
}
