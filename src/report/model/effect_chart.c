#include "report/model/effect_chart.h"

#include <math.h>
#include <string.h>

#include "store/noise.h"

double effect_chart_longest(const struct effect_chart *chart)
{
    double longest = 0;
    for (size_t s = 0; s < chart->count; s++)
        for (size_t i = 0; i < chart->series[s].count; i++)
            longest = fmax(
                longest, fmax(summary_figure(&chart->series[s].points[i].time), chart->series[s].points[i].predicted));
    return longest;
}

static double time_of(const struct effect_point *point, bool is_measured)
{
    return is_measured ? summary_figure(&point->time) : point->predicted;
}

double effect_point_ratio(const struct effect_series *series, size_t index)
{
    bool is_measured = false;
    for (size_t i = 0; i < series->count; i++)
        is_measured = is_measured || summary_figure(&series->points[i].time) > 0;
    size_t first = 0;
    while (first < series->count && time_of(&series->points[first], is_measured) <= 0)
        first++;
    return first < series->count
               ? time_of(&series->points[index], is_measured) / time_of(&series->points[first], is_measured)
               : 0;
}

const char *effect_series_reason(const struct effect_series *series)
{
    for (size_t i = 0; i < series->count; i++)
        if (!series->points[i].was_run || series->points[i].verdict == VERDICT_PASS ||
            strcmp(series->points[i].reason, series->points[0].reason) != 0)
            return NULL;
    return series->count > 0 ? series->points[0].reason : NULL;
}
