/* The roofline's figures, for programs. */
#include <jansson.h>

#include "base/size.h"
#include "report/export/csv.h"
#include "report/export/json.h"
#include "report/model/figures.h"
#include "report/terminal/roofline.h"

static json_t *chart_object(const struct roof_chart *chart)
{
    json_t *ceilings = json_array(), *points = json_array();
    for (size_t i = 0; i < chart->ceiling_count; i++) {
        const struct measurement *ceiling = chart->ceilings[i];
        json_array_append_new(ceilings, json_pack("{s:s, s:o, s:s}", "ceiling", ceiling->rung, "rate",
                                                  report_real(figures_rate(ceiling)), "unit", ceiling->rate_unit));
    }
    for (size_t i = 0; i < chart->mark_count; i++) {
        const struct roof_mark *mark = &chart->marks[i];
        json_array_append_new(points,
                              json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:s}", "kernel", mark->measurement->kernel,
                                        "problem", mark->measurement->problem, "rung", mark->measurement->rung,
                                        "parameters", mark->measurement->parameters, "operations_per_byte",
                                        report_real(mark->intensity), "gflops", report_real(mark->rate), "roof_gflops",
                                        report_real(mark->roof), "bound_by", mark->by_memory ? "memory" : "units"));
    }
    const struct measurement *first = chart->ceilings[0];
    return json_pack("{s:s, s:s, s:i, s:o, s:o}", "device", first->device, "device_name", first->device_name, "threads",
                     (int)first->threads, "ceilings", ceilings, "points", points);
}

bool report_roofline_json(FILE *stream, const struct roof_chart *charts, size_t count)
{
    json_t *array = json_array();
    bool written = array != NULL;
    for (size_t i = 0; written && i < count; i++)
        written = !charts[i].ceiling_count || json_array_append_new(array, chart_object(&charts[i])) == 0;
    if (written)
        return report_json_write(stream, "uskor.roofline/1", array);
    json_decref(array);
    return false;
}

bool report_roofline_csv(FILE *stream, const struct roof_chart *charts, size_t count)
{
    fputs("device,kernel,rung,parameters,operations_per_byte,gflops,roof_gflops,bound_by,problem\n", stream);
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < charts[c].mark_count; i++) {
            const struct roof_mark *mark = &charts[c].marks[i];
            const struct measurement *measurement = mark->measurement;
            const char *const texts[] = {measurement->device, measurement->kernel, measurement->rung,
                                         measurement->parameters};
            csv_fields(stream, texts, COUNT_OF(texts));
            fprintf(stream, "%.9g,%.9g,%.9g,%s,", mark->intensity, mark->rate, mark->roof,
                    mark->by_memory ? "memory" : "units");
            csv_field(stream, measurement->problem);
            fputc('\n', stream);
        }
    return fflush(stream) == 0 && !ferror(stream);
}
