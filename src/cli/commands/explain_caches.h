/* A CPU rung's caches, for people and for programs. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "explain/explain.h"

/* The accesses that miss most, one line each, and what all of them move; in lines of at most 80 letters. Nothing for a
 * device rung. */
void explain_print_caches(FILE *stream, const struct explanation *explanation);

/* What would help against what binds a CPU rung, by the counts; NULL: the counts do not say. Translated. */
const char *explain_cpu_remedy(const struct explanation *explanation);

/* The object "caches"; null for a device rung, or where nothing was traced. */
json_t *explain_caches_json(const struct explanation *explanation);
