/* One field of a CSV row. */
#pragma once

#include <stdio.h>

/* In quotes, with quotes doubled, where it needs them (RFC 4180). An apostrophe comes first where a spreadsheet would
 * compute the text as a formula. */
void csv_field(FILE *stream, const char *text);
