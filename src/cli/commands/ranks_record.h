/* A method over ranks as a measurement, for the store, CSV and the report. */
#pragma once

#include "cli/commands/ranks_table.h"
#include "store/measurement.h"

/* Adds it: kernel "ranks", problem "ranks:transpose:…" (with weak scaling, that of one rank), parameters "ranks=4" or
 * "ranks=4 weak", and the method as the rung. NULL when memory is out. */
struct measurement *ranks_record(struct measurement_list *list, const struct ranks_report *report,
                                 const struct ranks_row *row);
