/* Accesses of executed machine code in the place of the source's, which the compiler joins, splits and removes. */
#pragma once

#include "explain/compiled/compiled.h"

/* Of all functions whose branches hang on nothing unknown, the lines whose addresses were known. Without `needs_all` of
 * all that were executed, where the source could not be traced. Code that stands in for an older architecture's counts
 * for nothing. Without memory the trace stays as it is. */
void explain_take_accesses(const struct explain_compiled *compiled, bool needs_all, struct explain_trace *trace);
