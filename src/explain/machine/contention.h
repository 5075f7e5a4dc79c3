/* How often atomic operations go to one address: L2 does these one after another. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct contended; /* one address */

/* Zeroed, it is empty. */
struct contention {
    struct contended *entries;
    size_t capacity, count;
};

/* `weight` operations of the launch, of which one was seen. */
void contention_add(struct contention *contention, uint64_t address, double weight);
/* The operations on the address that most go to. An address that was seen once counts once: which one of many rarely
 * used addresses was seen is chance. */
double contention_most(const struct contention *contention);
void contention_free(struct contention *contention);
