/* A timeline as a chart of characters: one line for each queue. */
#ifndef USKOR_CLI_GANTT_H
#define USKOR_CLI_GANTT_H

#include <stdio.h>

#include "lab/overlap.h"
#include "report/report.h"

/* The stream's style gives width and colours. A column shows what its queue did longest in that stretch of time. */
void gantt_print(FILE *stream, const struct timeline *timeline, struct style style);

#endif
