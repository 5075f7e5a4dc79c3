/* Strings: the closest match for a mistyped name, and numbers as people write them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The entry of `names` closest to `name` by Damerau-Levenshtein distance, or NULL when none is near enough
 * to be a likely slip (more than a third of the longer one's letters differ, and not a prefix). Case does not count. */
const char *text_closest(const char *name, const char *const *names, size_t count);

/* Reads a whole decimal integer, optionally with a binary suffix k, m, g (1024, 1024², 1024³), 2^N, or 1e6.
 * False when `text` is anything else or does not fit. */
bool text_integer(const char *text, int64_t *value);

/* Reads a whole finite decimal floating-point number; the point is "." whatever the locale says. */
bool text_real(const char *text, double *value);

/* The shortest decimal that text_real reads back as the same number ("0.1"); returns `buffer`. 32 bytes are enough. */
const char *text_from_real(double value, char *buffer, size_t size);

/* Appends to a bounded string; false (and as much as fits) when it does not fit. */
bool text_append(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The text after UTF-8's byte order mark, which some editors write; `text` itself where there is none. */
const char *text_after_mark(const char *text);

/* "12.3 µs": three significant digits and the unit that suits; returns `buffer`. */
const char *text_duration(double nanoseconds, char *buffer, size_t size);

/* "1.5 GiB" (binary units); returns `buffer`. */
const char *text_bytes(double bytes, char *buffer, size_t size);
