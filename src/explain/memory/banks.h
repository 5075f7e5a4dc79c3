/* Bank conflicts: passes over the banks of shared memory, by the rules of explain/memory/rules.h. */
#pragma once

#include "explain/memory/rules.h"

void banks_count(enum banking banking, const struct warp_access *access, struct access_counts *counts);
