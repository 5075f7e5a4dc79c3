/* Whether one array is another one, sorted. */
#ifndef USKOR_KERNELS_SORT_CHECK_H
#define USKOR_KERNELS_SORT_CHECK_H

#include "kernels/kernel.h"

/* `output` must be in the order of order.h, and a permutation of `input`, bit for bit. Order is tested between all
 * neighbours. Two arrays are permutations of each other when the elements' multisets are equal; instead of them the
 * elements' sum and the sums of two mixing functions of them are compared, modulo 2^64: arrays that differ in one
 * element always have different sums, and others share all three by a chance of about 2^-128. */
void sort_check(enum element_type type, const void *input, const void *output, size_t count,
                struct check_result *result);

/* Elements wrong in order: how many stand behind a greater one, and the first such index. */
struct disorder {
    size_t wrong, first;
};
struct disorder sort_disorder(enum element_type type, const void *data, size_t count);

/* The multiset's fingerprint. Elements may be in either byte order: `swapped` turns each round first. */
struct multiset {
    uint64_t sum, mixed, mixed_again;
};
struct multiset sort_multiset(enum element_type type, const void *data, size_t count, bool swapped);
bool multiset_equal(const struct multiset *a, const struct multiset *b);

#endif
