/* A timeline as a chart of characters: one line for each queue. */
#ifndef USKOR_REPORT_TERMINAL_GANTT_H
#define USKOR_REPORT_TERMINAL_GANTT_H

#include <stdio.h>

#include "report/terminal/report.h"
#include "store/timeline.h"

/* The stream's style gives width and colours. A column shows what its queue did longest in that stretch of time. */
void gantt_print(FILE *out, const struct timeline *timeline, struct style style);

#endif
