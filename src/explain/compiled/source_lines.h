/* The source lines of addresses in an object, by addr2line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Takes a line of addresses[number], "FILE:LINE", `length` bytes long. An inlined address has several: the innermost
 * function's comes first, then those of its callers. */
typedef void source_take(void *context, size_t number, const char *line, size_t length);

/* Finds the source lines of `count` addresses in `object`. STATUS_UNAVAILABLE when addr2line is not installed. */
enum status source_lines(const char *object, const uint64_t *addresses, size_t count, source_take *take, void *context,
                         struct error *error);

/* Whether one of that name may be run for it. */
bool source_lines_is_program(const char *name);
