/* Whether one array is another one, sorted. */
#pragma once

#include "kernels/kernel.h"

/* `output` must be in the documented order (documented_order.h), and a permutation of `input`, bit for bit. Order is
 * tested between all neighbours. For the permutation the elements' sum modulo 2^64 is compared, and the values of two
 * polynomials that have the elements as their roots:
 *
 *   Π (x + low + y · high) modulo 2^61 - 1, low and high being the halves of an element
 *
 * at points (x, y) that the process draws at random (x below 2^61 - 2^32). Different multisets have different
 * polynomials of degree `count`, which agree at a random point by a chance of at most count / 2^61 (Schwartz and
 * Zippel), at both by its square: 2^-60 for 2^31 elements, whatever the elements are. If only one element differs, the
 * sums always do. */
void sort_check(enum element_type type, bool descending, const void *input, const void *output, size_t count,
                struct check_result *result);

/* The same for a problem with options. Indices must be those of a stable order, which is unique; so must keys with
 * values be, bit for bit. Every line is judged for itself. */
void sort_check_options(const struct problem *problem, struct host_arrays input, struct host_arrays output,
                        struct check_result *result);

/* Elements wrong in order: how many stand behind a greater (in descending order a smaller) one, and the first such
 * index.
 */
struct disorder {
    size_t wrong, first;
};
struct disorder sort_disorder(enum element_type type, bool descending, const void *data, size_t count);

/* The multiset's fingerprint, comparable within a process. Elements may be in either byte order: `swapped` turns each
 * round first. */
struct multiset {
    uint64_t sum, products[2];
};
struct multiset sort_multiset(enum element_type type, const void *data, size_t count, bool swapped);
bool multiset_equal(const struct multiset *a, const struct multiset *b);
