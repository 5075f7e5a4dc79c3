/* An effect's points as a table with bars: what was measured, and where the model expects it. */
#pragma once

#include <stdio.h>

#include "report/model/effect_chart.h"
#include "report/terminal/report.h"

void report_effect(FILE *out, const struct effect_chart *chart, struct style style);

/* What the bars and marks mean; printed once, below all charts. */
void report_effect_legend(FILE *stream, const struct effect_chart *charts, size_t count, struct style style);

/* False when the stream could not be written. */
bool report_effects_json(FILE *stream, const struct effect_chart *charts, size_t count);
bool report_effects_csv(FILE *stream, const struct effect_chart *charts, size_t count);
