/* Effects for programs. docs/effects.md describes the form. */
#pragma once

#include <stdio.h>

#include "report/model/effect_chart.h"

/* False when the stream could not be written. */
bool report_effects_json(FILE *stream, const struct effect_chart *charts, size_t count);
bool report_effects_csv(FILE *stream, const struct effect_chart *charts, size_t count);
