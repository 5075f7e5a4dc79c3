/* The table of what was counted beside the times. */
#pragma once

#include "report/terminal/report.h"

/* Of the list's measurements on the problem and device of `first`; nothing where none has any. */
void counters_print(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                    struct style style);
