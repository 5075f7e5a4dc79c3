/* The parts of a step's line that belong to CPU rungs. */
#ifndef USKOR_EXPLAIN_STEP_CACHES_H
#define USKOR_EXPLAIN_STEP_CACHES_H

#include "explain/explain.h"

/* The instructions, cache lines and translations of CPU rungs that were simulated: those on which a tenth of the
 * predicted time hangs, before or after. */
void step_add_caches(const struct explanation *before, const struct explanation *after, char *text, size_t size);

#endif
