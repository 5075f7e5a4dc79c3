/* A timeline as a chart of characters: one line for each queue. */
#pragma once

#include <stdio.h>

#include "report/terminal/report.h"
#include "store/timeline.h"

/* The stream's style gives width and colours. A column shows what its queue did longest in that stretch of time. */
void gantt_print(FILE *out, const struct timeline *timeline, struct style style);
