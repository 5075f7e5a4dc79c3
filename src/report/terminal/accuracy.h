/* Speed over accuracy in a terminal. */
#pragma once

#include "report/terminal/report.h"
#include "store/accuracy.h"

/* For each device and size a table for each kind of inputs (rate, errors, what each rung told of itself), a picture of
 * all rungs, and figures of others' that are cited; then what the errors mean. */
void report_accuracy(FILE *out, const struct measurement_list *list, const struct accuracy_list *errors,
                     struct style style);
