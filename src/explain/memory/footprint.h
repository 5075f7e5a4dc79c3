/* The sectors of global memory that a group has touched: what a first cache that keeps all of them would fetch once. */
#ifndef USKOR_EXPLAIN_MEMORY_FOOTPRINT_H
#define USKOR_EXPLAIN_MEMORY_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/memory/rules.h"

#define FOOTPRINT_SECTOR 32 /* bytes */

/* Zeroed: empty. A set of sectors; entries of earlier groups are free ones. */
struct footprint {
    uint64_t *entries;
    size_t capacity, count; /* a power of two; of this group */
    uint64_t group;
};

void footprint_free(struct footprint *footprint);
void footprint_begin_group(struct footprint *footprint);

/* Adds the sectors of an access to global memory; *added is how many of them this group had not touched. False when
 * memory is out. */
bool footprint_add(struct footprint *footprint, const struct warp_access *access, unsigned *added);

#endif
