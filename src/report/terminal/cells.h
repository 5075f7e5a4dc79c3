/* Cells of a table in a fixed width, counted in letters as a terminal shows them. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "report/terminal/report.h"

/* Letters of a UTF-8 text. */
int column_width(const char *text);

/* The text to the left (right) in `width` columns; one that is longer is cut, with "…" where it was. */
void column_left(FILE *stream, const char *text, int width);
void column_right(FILE *stream, const char *text, int width);

/* Cells of a row: in the layout "<8" is the next text to the left in 8 columns, ">8" to the right, '*' a width that
 * comes before its text as an int, '%' a text as it is; all else stands for itself. */
void columns_print(FILE *stream, const char *layout, ...);

/* A number by a format of its own width, with the language's point. */
void column_number(FILE *stream, const char *format, double value) __attribute__((format(printf, 2, 0)));

/* "12.3 µs" to the right in `width` columns; a dash where there is no time. */
void column_time(FILE *stream, double nanoseconds, int width);

/* The text, cut to `width` columns. */
void column_cut(FILE *stream, const char *text, int width);

/* Words, the first at `column`, in lines of up to `width` letters; further lines begin at `indent`. Ends the last line.
 */
void columns_wrapped(FILE *stream, const char *text, int column, int indent, int width);

/* The footer below a table, faint: a format's text as one paragraph of the style's width. */
void columns_note(FILE *stream, struct style style, const char *format, ...);

/* "2026-11-21 14:20", local time; returns `text`. 24 bytes are enough. */
const char *text_moment(int64_t seconds, char *text, size_t size);
