/* Sorts words by the vectors of `simd`. */
#pragma once

#include "kernels/sort/simd.h"

/* Words that are sorted as narrow ones; more are split. */
#define NARROW_MOST ((size_t)1 << 12)

/* Bits of a number: 0 for 0. */
static inline unsigned bits_of(uint64_t number)
{
    return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
}

/* Whether the processor has vectors that sort words faster than digits do. */
bool vectors_sort_words(void);

/* Writes up to NARROW_MOST words to `target`, sorted by their distance from `least`, of which `bits` bits from
 * *lowest_bit on differ. *lowest_bit becomes the lowest one that counted; returns whether all are in order. `narrow` is
 * memory for as many. */
bool sort_by_vectors(const uint64_t *words, size_t count, uint64_t least, unsigned *lowest_bit, unsigned bits,
                     uint32_t *narrow, uint64_t *target);

/* Words that are to be split, and sort_level()'s split of them: words that are alike in some bits may change places. */
struct sort_range words_to_split(uint64_t *words, size_t count);
void split_by_vectors(struct sort_range range, struct sort_range parts[2]);
