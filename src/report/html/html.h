/* Markup: everything that comes from a measurement is escaped on its way into HTML and SVG. */
#pragma once

#include <stdio.h>

/* As printf, where the format is markup and every %s is text: its &, <, >, " and ' are escaped, and what no document
 * may hold (control characters, bytes that are not UTF-8) becomes U+FFFD. Conversions: %s %d %u %zu %f %g %c %%, with
 * flags, width and precision written out (no *). */
void html(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Text alone, escaped. */
void html_text(FILE *stream, const char *text);
