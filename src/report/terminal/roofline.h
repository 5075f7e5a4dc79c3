/* The roofline in characters: rate over arithmetic intensity, both logarithmic, with a device's ceilings as lines and
 * what was measured as letters. */
#pragma once

#include "report/model/roof_chart.h"
#include "report/terminal/report.h"

void report_roofline(FILE *out, const struct roof_chart *chart, struct style style);
