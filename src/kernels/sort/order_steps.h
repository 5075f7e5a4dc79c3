/* The loops of order_words.c over keys and words, for each instruction set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/sort/order.h"

#define ORDER_BLOCK 512 /* keys in a call */

/* All keys: the least and the greatest, where all NaNs have one, and the bits in which they differ, and perhaps more
 * where NaNs are among them. */
struct key_range {
    uint64_t least, greatest, varying;
};

/* From elements of 4 or 8 bytes to words and cells. The word of a key is ((key - least) << up), its low bits replaced
 * by the key's place. A cell has neighbouring keys: it is the word's leading bits or, by value, sign * value from `low`
 * on in steps of 1 / scale, at most `last`; NaNs are in the last one. */
struct order_map {
    struct key_order order;
    size_t bytes; /* of an element */
    uint64_t least;
    unsigned up, place_bits, cell_bits;
    bool by_value;
    double sign, low, scale, last;
};

struct order_steps {
    struct key_range (*range)(const struct order_map *map, const void *elements, size_t count);
    /* Of a block's elements, the first of which is at place `first`; at most ORDER_BLOCK. */
    void (*words)(const struct order_map *map, const void *elements, size_t first, size_t count, uint64_t *words);
    void (*cells)(const struct order_map *map, const void *elements, size_t count, uint32_t *cells);
    /* Whether the elements are in order; only the map's first two fields count. */
    bool (*in_order)(const struct order_map *map, const void *elements, size_t count);
    /* Whether neighbours among sorted words are alike above their places. */
    bool (*has_ties)(const uint64_t *words, size_t count, unsigned place_bits);
    /* The words' places, of 4 or 8 bytes; `places` may be the words. */
    void (*places)(const uint64_t *words, size_t count, unsigned place_bits, void *places, size_t bytes);
};

/* Those of the instruction set that cpu_isa() allows. */
const struct order_steps *order_steps(void);
