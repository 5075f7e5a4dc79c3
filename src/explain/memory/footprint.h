/* A group's footprint: the sectors of global memory that it has touched. An L1 that keeps them all would fetch each
 * once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/memory/rules.h"

#define FOOTPRINT_SECTOR 32 /* bytes */

/* A set of sectors; zeroed, it is empty. Entries of earlier groups count as free. */
struct footprint {
    uint64_t *entries;
    size_t capacity, count; /* a power of two; entries of this group */
    uint64_t group;
};

void footprint_free(struct footprint *footprint);
void footprint_begin_group(struct footprint *footprint);

/* Adds the sectors of an access to global memory. *added is the number that this group had not touched before. False
 * when out of memory. */
bool footprint_add(struct footprint *footprint, const struct warp_access *access, unsigned *added);
