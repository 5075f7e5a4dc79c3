/* Races in local memory: two items access a byte between two barriers, and one of them writes it. In global memory,
 * where asked for: two items of a group read and write an element, without atomic operations. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/memory/rules.h"

struct traced_program;

struct race {
    const struct traced_program *program;
    unsigned codes[2]; /* of the two accesses, in the order seen */
    uint64_t at;       /* offset in local memory, or in the arena */
    bool is_global;
};

#define RACES_MAX 8

struct races;

struct races *races_create(void); /* NULL when memory is out */
void races_free(struct races *races);
/* Global memory is watched, too. False when memory is out. */
bool races_watch_global(struct races *races);

/* Starts another group with that much local memory. False when out of memory. */
bool races_begin_group(struct races *races, const struct traced_program *program, size_t local_bytes);
/* A barrier of the group; a synchronization of one warp. */
void races_barrier(struct races *races);
void races_meeting(struct races *races, unsigned warp);
/* Adds an access of a warp to local memory; to global memory. */
void races_add(struct races *races, unsigned code, unsigned warp, const struct warp_access *access);
void races_add_global(struct races *races, unsigned code, unsigned warp, const struct warp_access *access);

/* Returns the races found, each pair of accesses once. They belong to `races`. */
const struct race *races_found(const struct races *races, size_t *count);
