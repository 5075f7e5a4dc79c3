/* From the accesses of copied code to the lines of its source. */
#pragma once

#include "explain/cache/code_copy.h"
#include "explain/cache/simulator.h"

enum cache_access code_access_kind(const struct x86_operand *operand);

/* Fills in file, line and group of each access. Where a function was put into another one, the line is the innermost
 * that is not of the compiler's own headers (its intrinsics). STATUS_UNAVAILABLE: no addr2line. */
enum status code_lines_find(struct code_copy *copy, struct error *error);
