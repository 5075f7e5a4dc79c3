/* The roofline in characters: rate over arithmetic intensity, both logarithmic, with a device's ceilings as lines and
 * what was measured as letters. */
#pragma once

#include "report/model/roof_chart.h"
#include "report/terminal/report.h"

void report_roofline(FILE *out, const struct roof_chart *chart, struct style style);

/* {"ceilings": […], "points": […]} for each chart; a row per point. False when the stream could not be written. */
bool report_roofline_json(FILE *stream, const struct roof_chart *charts, size_t count);
bool report_roofline_csv(FILE *stream, const struct roof_chart *charts, size_t count);
