/* Any command's CSV as a Markdown table. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Writes what `write` writes as CSV, as a table for people: columns without a text are left out, those with one text in
 * all of several rows are named once above the table, and fractions have four digits. False when it could not be
 * written. */
bool markdown_of_csv(FILE *stream, bool (*write)(FILE *stream, const void *context), const void *context);
