/* The functions of `simd` for each instruction set. */
#pragma once

#include <stdbool.h>

#include "base/size.h"
#include "kernels/sort/order_steps.h"
#include "kernels/sort/sort.h"

/* Neighbouring keys that are still to be sorted: the elements' bits, or keys that a split has made of them. `depth`
 * splits may be bad before the heap takes over. */
struct sort_range {
    void *keys;
    size_t count;
    int depth;
    bool from_bits;
};

#define SPLIT_LEAST ((size_t)1024)

/* One instruction set's functions; `order` and `bytes` are those of struct sorting. */
struct sort_level {
    bool is_signed; /* its keys; `below` of the order is larger by half the range of keys */
    /* Sorts a range, and leaves the elements' bits. */
    void (*sort)(struct sort_range range, const struct key_order *order, size_t bytes);
    /* Splits a range by a pivot into two, of which each key of the first is before each of the second. A part that is
     * sorted already has no keys. */
    void (*split)(struct sort_range range, const struct key_order *order, size_t bytes, struct sort_range parts[2]);
    /* The same in two steps, for pieces of a range: a key of it, and the split of a piece of at least SPLIT_LEAST keys.
     * Returns how many of its keys are below the pivot; they come first, and all are keys then. */
    uint64_t (*choose_pivot)(struct sort_range range, const struct key_order *order, size_t bytes);
    size_t (*split_at)(struct sort_range range, const struct key_order *order, size_t bytes, uint64_t pivot);
    const struct order_steps *order;
    /* Keeps the first of neighbours that have the same bits; returns how many are left. NULL: there is none. */
    size_t (*keep_distinct)(void *keys, size_t count, size_t bytes);
};

/* The level that cpu_isa() allows; NULL where there are no vectors. */
const struct sort_level *sort_level(void);

#if defined(__x86_64__)
extern const struct sort_level sort_level_avx2, sort_level_avx512;
#elif defined(__aarch64__)
extern const struct sort_level sort_level_neon;
#endif
