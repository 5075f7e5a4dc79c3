/* Accesses that the trace counts word by word and the compiler joins into wider ones. */
#ifndef USKOR_EXPLAIN_JOINED_H
#define USKOR_EXPLAIN_JOINED_H

#include "explain/compiled/compiled.h"
#include "explain/memory/access_trace.h"

/* Corrects counts[0] of the joined accesses. Does nothing when no machine code was read. */
void explain_join_accesses(const struct explain_compiled *compiled, struct explain_trace *trace);

#endif
