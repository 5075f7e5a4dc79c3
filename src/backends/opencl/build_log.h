/* A compiler's log made one line. */
#ifndef USKOR_BACKENDS_OPENCL_BUILD_LOG_H
#define USKOR_BACKENDS_OPENCL_BUILD_LOG_H

#include <stddef.h>

/* Writes the log's first lines that speak of an error, joined by "; ", into `text`; its first lines of any kind when
 * none does. Empty when the log is. */
void build_log_errors(const char *log, char *text, size_t size);

#endif
