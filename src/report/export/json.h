/* Numbers in JSON. */
#pragma once

#include <jansson.h>

#include "store/accuracy.h"
#include "store/measurement.h"

/* A number; what is not a number is null, what is infinite the word "infinite", as in exported lines. New. */
json_t *report_real(double value);

/* The same where it is above 0, else null. New. */
json_t *report_positive(double value);

/* Writes what a command's --json prints and releases it: an object, or an array of objects. Each gets the member
 * "schema", the name and version of its members: "uskor.runs/1". tests/data/json lists them; a member that goes or
 * changes its meaning makes another version. False: there is none (NULL), or it could not be written. */
bool report_json_write(FILE *stream, const char *schema, json_t *value);

/* As report_json (report/terminal/report.h), each measurement with its errors, where it has any: "accuracy":
 * {"relative": …, "componentwise": …, "largest": …, "rows": …, "all_rows": …}. */
bool report_json_accuracy(FILE *stream, const struct measurement_list *list, const struct accuracy_list *errors);
