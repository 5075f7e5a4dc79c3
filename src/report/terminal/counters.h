/* The table of what was counted beside the times: clocks, energy, cycles, instructions, samples left out. */
#pragma once

#include "report/terminal/report.h"

bool counters_are_there(const struct measurement *measurement);

/* Of the list's measurements on the problem and device of `first`; nothing where none has any. */
void counters_print(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                    struct style style);
