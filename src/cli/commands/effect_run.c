#include "cli/commands/effect_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/transfers/bandwidth.h"

/* Transfers of 4 KiB to 128 MiB by eights. */
#define TRANSFER_LEAST ((size_t)1 << 12)
#define TRANSFER_MOST ((size_t)1 << 27)
#define TRANSFER_MOST_CPU ((size_t)1 << 21) /* where nothing crosses a bus */
#define TRANSFER_FACTOR 8
#define TRANSFER_POINTS 12

#define POINT_SECONDS 0.5 /* to build a point's rung, and to check it twice */

static void begin_chart(const struct effect_request *request, struct effect_chart *chart)
{
    const struct effect *effect = request->effect;
    const struct device *device = request->device;
    bool is_host = device && device->backend->kind == BACKEND_CPU;
    *chart = (struct effect_chart){.name = effect->name,
                                   .title = effect->title,
                                   .lesson = effect->lesson,
                                   .axis = effect->axis,
                                   .steps = is_host ? effect->steps_cpu : effect->steps,
                                   .parameter = effect->parameter};
    snprintf(chart->device, sizeof chart->device, "%s", device ? device->id : "");
    snprintf(chart->device_name, sizeof chart->device_name, "%s",
             device ? device->properties.name : request->place->target.name);
    chart->is_cpu_opencl = device && device->properties.is_cpu && device->backend->kind != BACKEND_CPU;
}

static enum status begin_problem(const struct effect_request *request, struct effect_chart *chart,
                                 struct problem *problem, struct error *error)
{
    enum status status = effect_problem(request->effect, request->device, request->size, problem, error);
    if (status == STATUS_OK)
        problem_text(problem, chart->problem);
    return status;
}

/* ---- series and points ------------------------------------------------------------------------------------------ */

static bool belongs(const struct effect_request *request, const struct rung *rung)
{
    return request->device ? (rung->backends & request->device->backend->kind) != 0 : rung->kind == RUNG_DEVICE;
}

static struct effect_series *add_series(struct effect_chart *chart, const char *name, const char *idea)
{
    struct effect_series *series = &chart->series[chart->count++];
    snprintf(series->name, sizeof series->name, "%s", name);
    snprintf(series->idea, sizeof series->idea, "%s", idea);
    return series;
}

/* A series for each rung that belongs there, a point for each value. */
static enum status make_points(const struct effect_request *request, struct effect_chart *chart, struct error *error)
{
    const struct rung *const *rungs;
    size_t count;
    enum status status = kernel_rungs(request->effect->kernel, &rungs, &count, error);
    for (size_t r = 0; status == STATUS_OK && r < count && chart->count < EFFECT_SERIES_MAX; r++) {
        int64_t values[TUNABLE_VALUES_MAX];
        if (!belongs(request, rungs[r]))
            continue;
        struct effect_series *series = add_series(chart, rungs[r]->name, rungs[r]->idea);
        series->count = effect_values(request->effect, rungs[r], values);
        for (size_t i = 0; i < series->count; i++)
            series->points[i].value = values[i];
    }
    return status;
}

static const struct rung *rung_of(const struct effect_request *request, const struct effect_series *series)
{
    return rung_by_name(request->effect->kernel, series->name, NULL);
}

static void take(const struct measurement *measurement, struct effect_point *point)
{
    point->was_run = true;
    point->verdict = measurement->verdict;
    snprintf(point->reason, sizeof point->reason, "%s", measurement->reason);
    if (measurement->verdict == VERDICT_PASS)
        point->time = measurement_summary(measurement, PHASE_COMPUTE);
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static enum status make_candidates(const struct effect_request *request, const struct effect_chart *chart,
                                   const struct problem *problem, struct candidate *candidates, size_t *count,
                                   struct error *error)
{
    enum status status = STATUS_OK;
    *count = 0;
    for (size_t s = 0; s < chart->count; s++)
        for (size_t i = 0; status == STATUS_OK && i < chart->series[s].count; i++) {
            struct candidate *candidate = &candidates[(*count)++];
            *candidate = (struct candidate){.device = request->device, .rung = rung_of(request, &chart->series[s])};
            status = effect_parameters(request->effect, candidate->rung, problem, chart->series[s].points[i].value,
                                       &candidate->parameters, error);
        }
    return status;
}

static enum status measure_kernels(const struct effect_request *request, struct effect_chart *chart,
                                   struct measurement_list *list, struct error *error)
{
    struct candidate candidates[EFFECT_SERIES_MAX * EFFECT_POINTS_MAX];
    struct bench_options options = *request->bench;
    struct problem problem;
    size_t count, begin = list->count, taken = 0;
    options.probe_ceilings = options.end_to_end = false;
    enum status status = begin_problem(request, chart, &problem, error);
    if (status == STATUS_OK)
        status = make_points(request, chart, error);
    if (status == STATUS_OK)
        status = make_candidates(request, chart, &problem, candidates, &count, error);
    if (status == STATUS_OK)
        status = lab_bench(&problem, candidates, count, &options, list, error);
    for (size_t s = 0; s < chart->count; s++)
        for (size_t i = 0; i < chart->series[s].count && begin + taken < list->count; i++)
            take(&list->items[begin + taken++], &chart->series[s].points[i]);
    return status;
}

/* ---- transfers -------------------------------------------------------------------------------------------------- */

/* "bandwidth:to-device,bytes=4096,pinned": the way's bytes; 0: another way. */
static int64_t transferred(const struct measurement *measurement, const char *memory)
{
    long long bytes;
    char kind[16];
    if (sscanf(measurement->problem, "bandwidth:to-device,bytes=%lld,%15s", &bytes, kind) != 2)
        return 0;
    return strcmp(kind, memory) == 0 ? bytes : 0;
}

static void take_transfers(struct effect_chart *chart, const struct measurement_list *list, size_t begin,
                           const char *memory, const char *rung)
{
    struct effect_series *series = NULL;
    double bus = 0;
    for (size_t i = begin; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        int64_t bytes = transferred(measurement, memory);
        if (bytes == 0)
            continue;
        if (measurement->kind == MEASURED_PROBE) /* the bus in theory, before what is measured */
            bus = measurement_summary(measurement, PHASE_COMPUTE).median;
        if (strcmp(measurement->rung, rung) != 0 || (series && series->count == EFFECT_POINTS_MAX))
            continue;
        if (!series)
            series = add_series(chart, memory, measurement->idea);
        struct effect_point *point = &series->points[series->count++];
        take(measurement, point);
        point->value = bytes;
        point->predicted = bus;
        snprintf(point->bound_by, sizeof point->bound_by, "%s", bus > 0 ? "bus" : "");
        bus = 0;
    }
}

static enum status measure_transfers(const struct effect_request *request, struct effect_chart *chart,
                                     struct measurement_list *list, struct error *error)
{
    struct bandwidth_options options = {.from = TRANSFER_LEAST,
                                        .to = chart->is_cpu_opencl ? TRANSFER_MOST_CPU : TRANSFER_MOST,
                                        .factor = TRANSFER_FACTOR,
                                        .seconds = request->bench->seconds / 10,
                                        .progress = request->bench->progress,
                                        .progress_context = request->bench->progress_context};
    struct measurement_list all = {.count = 0};
    enum status status = lab_bandwidth(request->device, &options, &all, error);
    take_transfers(chart, &all, 0, "pageable", "driver");
    take_transfers(chart, &all, 0, "pinned", "queue");
    for (size_t s = 0; s < chart->count; s++)
        for (size_t i = 0; i < chart->series[s].count; i++) {
            struct measurement *kept = measurement_list_add(list);
            if (kept)
                kept->verdict = chart->series[s].points[i].verdict;
        }
    measurement_list_free(&all);
    return status;
}

double effect_seconds(const struct effect_request *request)
{
    const double each = request->bench->seconds + POINT_SECONDS;
    struct effect_chart *chart = effect_charts_create(1);
    double seconds = request->effect->kernel ? 0 : TRANSFER_POINTS * each;
    struct error error;
    if (chart)
        begin_chart(request, chart);
    if (chart && request->effect->kernel && make_points(request, chart, &error) == STATUS_OK)
        for (size_t s = 0; s < chart->count; s++)
            seconds += (double)chart->series[s].count * each;
    effect_charts_destroy(chart, 1);
    return seconds;
}

enum status effect_measure(const struct effect_request *request, struct effect_chart *chart,
                           struct measurement_list *list, struct error *error)
{
    begin_chart(request, chart);
    return request->effect->kernel ? measure_kernels(request, chart, list, error)
                                   : measure_transfers(request, chart, list, error);
}

enum status effect_plan(const struct effect_request *request, struct effect_chart *chart, struct error *error)
{
    struct problem problem;
    begin_chart(request, chart);
    if (!request->effect->kernel || request->effect->is_not_predicted)
        return STATUS_OK;
    enum status status = begin_problem(request, chart, &problem, error);
    return status == STATUS_OK ? make_points(request, chart, error) : status;
}
