#include "cli/commands/roof_charts.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "report/terminal/roofline.h"

/* Ceilings and rungs are of as many threads as this run has: one thread cannot come near what two can do. */
static unsigned threads_of(const struct device *device)
{
    return device->backend->kind == BACKEND_CPU ? (unsigned)omp_get_max_threads() : 0;
}

static void fill_ceilings(const struct bench_session *session, struct roof_charts *charts, size_t d)
{
    const struct device *device = session->selection.devices[d];
    struct roof_chart *chart = &charts->items[d];
    chart->ceilings = charts->ceilings[d];
    for (int kind = 0; kind < CEILING_KINDS; kind++) {
        const struct measurement *found =
            ceiling_find(&session->ceilings, device->id, device->properties.name, device->properties.driver,
                         threads_of(device), (enum ceiling_kind)kind);
        if (found)
            charts->ceilings[d][chart->ceiling_count++] = found;
    }
}

static enum status fill_chart(const struct bench_session *session, struct roof_charts *charts, size_t d,
                              struct error *error)
{
    const struct device *device = session->selection.devices[d];
    struct roof_chart *chart = &charts->items[d];
    fill_ceilings(session, charts, d);
    chart->marks = calloc(session->list.count + 1, sizeof *chart->marks);
    if (!chart->marks)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu measurements", session->list.count);
    for (size_t i = 0; i < session->list.count; i++) {
        const struct measurement *measurement = &session->list.items[i];
        bool ours = strcmp(measurement->device, device->id) == 0 && measurement->threads == threads_of(device) &&
                    strcmp(measurement->device_name, device->properties.name) == 0 && !measurement->cold &&
                    strcmp(measurement->kernel, CEILING_KERNEL) != 0;
        for (size_t r = 0; ours && r < session->selection.rung_name_count; r++)
            ours = strcmp(session->selection.rung_names[r], measurement->rung) == 0;
        if (ours && roof_mark_make(chart, &session->list, measurement, &chart->marks[chart->mark_count]))
            chart->mark_count++;
    }
    return STATUS_OK;
}

enum status roof_charts_fill(const struct bench_session *session, struct roof_charts *charts, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t d = 0; status == STATUS_OK && d < session->selection.device_count; d++)
        status = fill_chart(session, charts, d, error);
    return status;
}

void roof_charts_free(struct roof_charts *charts)
{
    for (size_t d = 0; d < SELECTION_MAX; d++)
        free(charts->items[d].marks);
    *charts = (struct roof_charts){0};
}

void roof_charts_print(FILE *stream, const struct bench_session *session, const struct roof_charts *charts,
                       struct style style)
{
    for (size_t d = 0; d < session->selection.device_count; d++)
        report_roofline(stream, &charts->items[d], style);
}
