/* Causes: what loads, stores and atomic operations show. */
#ifndef USKOR_EXPLAIN_CAUSES_ACCESSES_H
#define USKOR_EXPLAIN_CAUSES_ACCESSES_H

#include "explain/cause.h"

void causes_of_accesses(struct cause_search *search);

/* Changes the counts as the remedy would; nothing where the cause is not one of these. */
void cause_remedy_accesses(struct what_if *what_if, const struct explain_cause *cause);

#endif
