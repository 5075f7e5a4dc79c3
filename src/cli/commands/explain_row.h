/* One row of an explanation. */
#pragma once

#include <stdio.h>

/* Where the text of every row begins, and where its lines end, in letters. */
#define EXPLAIN_INDENT 13
#define EXPLAIN_WIDTH 80

/* Prints a label and, beside it, the text, folded. */
void explain_row(FILE *stream, const char *label, const char *text);
