/* Fields of CSV and of Markdown tables. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* In quotes, with quotes doubled, where it needs them (RFC 4180). An apostrophe comes first where a spreadsheet would
 * compute the text as a formula. */
void csv_field(FILE *stream, const char *text);

/* So many fields, each with a comma behind it. */
void csv_fields(FILE *stream, const char *const texts[], size_t count);

/* Ends the field at *at, takes its quotes away, and moves on behind it. Returns the letter that was there: ',', '\n' or
 * 0. */
char csv_cut(char **at, const char **field);

/* Writes "| text ", so that the text ends no cell and no row. */
void markdown_cell(FILE *stream, const char *text);

/* Writes what `write` writes as CSV, as a table for people: columns without a text are left out, those with one text in
 * all of several rows are named once above the table, and fractions have four digits. False when it could not be
 * written. */
bool markdown_of_csv(FILE *stream, bool (*write)(FILE *stream, const void *context), const void *context);
