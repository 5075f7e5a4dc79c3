/* One field of a CSV row. */
#ifndef USKOR_REPORT_EXPORT_CSV_H
#define USKOR_REPORT_EXPORT_CSV_H

#include <stdio.h>

/* In quotes, with quotes doubled, where it needs them (RFC 4180). An apostrophe comes first where a spreadsheet would
 * compute the text as a formula. */
void csv_field(FILE *stream, const char *text);

#endif
