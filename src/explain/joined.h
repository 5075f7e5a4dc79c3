/* What the trace counts word by word and the compiler joins. */
#ifndef USKOR_EXPLAIN_JOINED_H
#define USKOR_EXPLAIN_JOINED_H

#include "explain/compiled/compiled.h"
#include "explain/memory/access_trace.h"

/* Changes counts[0] of the accesses that are joined. Nothing, where no machine code was read. */
void explain_join_accesses(const struct explain_compiled *compiled, struct explain_trace *trace);

#endif
