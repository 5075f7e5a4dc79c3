/* Which instructions were executed between two accesses of a trace, as the code leads from one to the other. */
#pragma once

#include "explain/cache/core_steps.h"

#define CORE_PATH_MOST 512      /* instructions */
#define CORE_NOWHERE UINT32_MAX /* no instruction */

struct core_path {
    uint32_t *steps; /* instructions by number, in order, without both accesses */
    uint32_t count;
};

struct core_paths;

/* `is_leader` of the copy's instructions is read; both stay the caller's. NULL when memory is out. */
struct core_paths *core_paths_create(const struct code_copy *copy, const struct core_step *steps);
void core_paths_destroy(struct core_paths *paths);

/* The way with the fewest conditional branches from the access of instruction `from` (CORE_NOWHERE: from the beginning
 * of its block) to that of `to` without another access between. `back`: where the innermost call returns to, or
 * CORE_NOWHERE. Valid until the next call. */
struct core_path core_paths_find(struct core_paths *paths, uint32_t from, uint32_t to, uint32_t back);
