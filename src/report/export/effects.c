#include "report/terminal/effects.h"

#include <jansson.h>

#include "report/export/json.h"

/* null where there is none. */
static json_t *text_or_null(const char *text)
{
    return text[0] ? json_string(text) : json_null();
}

static json_t *point_object(const struct effect_point *point)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "value", (json_int_t)point->value, "verdict",
                     point->was_run ? json_string(verdict_name(point->verdict)) : json_null(), "reason",
                     text_or_null(point->reason), "measured_ns", report_positive(point->time.median), "quartile1_ns",
                     report_positive(point->time.quartile1), "quartile3_ns", report_positive(point->time.quartile3),
                     "samples", (json_int_t)point->time.count, "predicted_ns", report_positive(point->predicted),
                     "bound_by", text_or_null(point->bound_by));
}

static json_t *series_object(const struct effect_series *series)
{
    json_t *points = json_array();
    for (size_t i = 0; i < series->count; i++)
        json_array_append_new(points, point_object(&series->points[i]));
    return json_pack("{s:s, s:s, s:o, s:o}", "series", series->name, "idea", series->idea, "points", points,
                     "not_predicted", text_or_null(series->no_prediction));
}

static json_t *chart_object(const struct effect_chart *chart)
{
    json_t *list = json_array();
    for (size_t s = 0; s < chart->count; s++)
        json_array_append_new(list, series_object(&chart->series[s]));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:o}", "effect", chart->name, "title", chart->title,
                     "lesson", chart->lesson, "parameter", chart->parameter, "axis", chart->axis, "device",
                     text_or_null(chart->device), "device_name", chart->device_name, "problem",
                     text_or_null(chart->problem), "steps", chart->steps ? json_integer(chart->steps) : json_null(),
                     "series", list);
}

bool report_effects_json(FILE *stream, const struct effect_chart *charts, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, chart_object(&charts[i]));
    return report_json_write(stream, "uskor.effects/1", json_pack("{s:o}", "effects", list));
}

bool report_effects_csv(FILE *stream, const struct effect_chart *charts, size_t count)
{
    fputs("effect,device,series,parameter,value,verdict,measured_ns,quartile1_ns,quartile3_ns,samples,predicted_ns,"
          "bound_by\n",
          stream);
    for (size_t c = 0; c < count; c++)
        for (size_t s = 0; s < charts[c].count; s++)
            for (size_t i = 0; i < charts[c].series[s].count; i++) {
                const struct effect_point *point = &charts[c].series[s].points[i];
                fprintf(stream, "%s,%s,%s,%s,%lld,%s,%.9g,%.9g,%.9g,%zu,%.9g,%s\n", charts[c].name, charts[c].device,
                        charts[c].series[s].name, charts[c].parameter, (long long)point->value,
                        point->was_run ? verdict_name(point->verdict) : "", point->time.median, point->time.quartile1,
                        point->time.quartile3, point->time.count, point->predicted, point->bound_by);
            }
    return fflush(stream) == 0 && !ferror(stream);
}
