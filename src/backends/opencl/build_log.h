/* A compiler's log made one line. */
#pragma once

#include <stddef.h>

/* Writes the log's first lines that speak of an error, joined by "; ", into `text`; its first lines of any kind when
 * none does. Empty when the log is.
 *
 * `name` is the user's file, and `lines_before` the number of lines that were put before it. Compilers that heed #line
 * name it themselves; NVIDIA's does not, and its "<kernel>:146:10" becomes "name:4:10" when 142 lines came before. */
void build_log_errors(const char *log, const char *name, long lines_before, char *text, size_t size);
