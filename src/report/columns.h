/* Cells of a table in a fixed width, counted in letters as a terminal shows them. */
#ifndef USKOR_REPORT_COLUMNS_H
#define USKOR_REPORT_COLUMNS_H

#include <stdint.h>
#include <stdio.h>

/* Letters of a UTF-8 text. */
int column_width(const char *text);

/* The text to the left (right) in `width` columns; one that is longer is cut, with "…" where it was. */
void column_left(FILE *stream, const char *text, int width);
void column_right(FILE *stream, const char *text, int width);

/* "2026-11-21 14:20", local time; returns `text`. 24 bytes are enough. */
const char *text_moment(int64_t seconds, char *text, size_t size);

#endif
