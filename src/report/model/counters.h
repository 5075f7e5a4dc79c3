/* What was counted beside the times (--counters), as figures: clocks, energy, cycles, instructions, samples left out.
 */
#pragma once

#include <stdbool.h>

#include "report/model/figure_text.h"
#include "store/measurement.h"

enum { COUNTERS = 6 };

/* Their headings, to be translated. */
extern const char *const counter_names[COUNTERS];

bool counters_are_there(const struct measurement *measurement);

void counters_of(const struct measurement *measurement, struct figure figures[COUNTERS]);
