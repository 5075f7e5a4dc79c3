/* Bank conflicts: passes over the banks of shared memory, by the rules of explain/memory/rules.h. */
#ifndef USKOR_EXPLAIN_MEMORY_BANKS_H
#define USKOR_EXPLAIN_MEMORY_BANKS_H

#include "explain/memory/rules.h"

void banks_count(enum banking banking, const struct warp_access *access, struct access_counts *counts);

#endif
