/* The source lines of addresses in an object, by addr2line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Takes "FILE:LINE" of so many bytes, of the address of that number: one for each function that it was inlined into,
 * innermost first. */
typedef void source_take(void *context, size_t number, const char *line, size_t length);

/* STATUS_UNAVAILABLE: there is no addr2line. */
enum status source_lines(const char *object, const uint64_t *addresses, size_t count, source_take *take, void *context,
                         struct error *error);

/* Whether one of that name may be run for it. */
bool source_lines_is_program(const char *name);
