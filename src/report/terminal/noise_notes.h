/* Which of a table's figures other programs disturbed: what a table of ceilings says below its rows. */
#pragma once

#include "report/terminal/report.h"

/* A line for each such warning of the `count` measurements that passed: the names of those that have it, then the
 * warning. Nothing where none has one. */
void noise_notes_print(FILE *stream, const struct measurement *const *of, size_t count, struct style style);
