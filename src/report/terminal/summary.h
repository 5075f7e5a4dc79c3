/* The last lines of a long run: what is fastest. */
#pragma once

#include "report/terminal/report.h"

/* One line for each kernel and device: the problem that represents them, the fastest rung, its rate, its share of the
 * ceiling, and our own fastest rung against the library's. Nothing where nothing was timed. */
void report_summary(FILE *out, const struct measurement_list *list, struct style style);
