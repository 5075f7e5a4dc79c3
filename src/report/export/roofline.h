/* The roofline for programs. */
#pragma once

#include <stdio.h>

#include "report/model/roof_chart.h"

/* {"ceilings": […], "points": […]} for each chart; a row per point. False when the stream could not be written. */
bool report_roofline_json(FILE *stream, const struct roof_chart *charts, size_t count);
bool report_roofline_csv(FILE *stream, const struct roof_chart *charts, size_t count);
