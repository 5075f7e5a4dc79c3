/* Sorts words by digits, the lowest first, of so many leading bits as tell most of them apart; few are then out of
 * order, and are put right by comparisons. No two words are alike. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/sort/order_vectors.h"

/* Words of a desk, the memory that a part is sorted in. */
#define DESK_WORDS ((size_t)1 << 15)
#define DIGIT_BITS_MOST 11
#define AT_ONCE 8 /* words */

/* A thread's memory for sorting. */
struct desk {
    struct key_range range; /* of the thread's part of the keys */
    uint32_t ends[(size_t)1 << DIGIT_BITS_MOST], last_ends[(size_t)1 << DIGIT_BITS_MOST], narrow[NARROW_MOST];
    uint64_t words[];
};

/* Sorts words, of which those that are alike from `lowest_bit` on are in order. More words than the desk has room for
 * are parted where they are. */
void sort_words(const struct order_steps *steps, struct desk *desk, uint64_t *words, size_t count, unsigned lowest_bit);

/* The same; returns where they are sorted: at `words`, or on the desk. */
const uint64_t *sort_words_anywhere(const struct order_steps *steps, struct desk *desk, uint64_t *words, size_t count,
                                    unsigned lowest_bit);

/* From counts to the places of the first words: cell by cell, and part by part within it. */
static inline void sum_up(uint32_t *ends, size_t parts, unsigned cell_bits)
{
    uint32_t place = 0;
    for (size_t cell = 0; cell >> cell_bits == 0; cell++)
        for (size_t part = 0; part < parts; part++) {
            uint32_t *at = &ends[(part << cell_bits) + cell], here = *at;
            *at = place;
            place += here;
        }
}

/* Puts AT_ONCE words where `ends` says of their digits. All places are read before the first word is stored: else a
 * load of a place may wait until the address of a store is known. Lines are fetched `ahead` words before they are
 * written, where that is not 0: the processor knows no pattern in them. */
static inline __attribute__((always_inline)) void put_words(const uint64_t *words, const uint32_t *digits,
                                                            uint32_t *ends, uint64_t *target, const size_t ahead)
{
    uint32_t places[AT_ONCE];
#pragma GCC unroll 8
    for (size_t i = 0; i < AT_ONCE; i++)
        places[i] = ends[digits[i]]++;
#pragma GCC unroll 8
    for (size_t i = 0; i < AT_ONCE; i++) {
        target[places[i]] = words[i];
        if (ahead > 0)
            __builtin_prefetch(&target[places[i] + ahead], 1);
    }
}
