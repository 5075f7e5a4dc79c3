/* How a message was made, as text: ["format", "argument", ["format", "argument"]] – JSON of lists and strings. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a format's conversion that begins at a '%': "%-5.2f" has 6; 1 when there is none ("%" before a blank). */
size_t origin_conversion(const char *format);

/* Appends a string with its quotes and escapes to a bounded text; false when it does not fit. */
bool origin_append_string(char *origin, size_t size, const char *string);

/* Reads a string at *at and moves behind it; false when there is none, or it is longer than `size`. */
bool origin_read_string(const char **at, char *string, size_t size);

/* Moves *at behind a string or a list; false when there is neither. */
bool origin_skip(const char **at);
