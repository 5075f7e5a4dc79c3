/* The one comparator: every check of every rung ends here.
 *
 * It is built without fast-math and looks at the bits of the exponent itself, so that a NaN can never pass as
 * "not greater than the tolerance". Its self-test (comparator_self_test) runs before every bench. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/element.h"
#include "base/status.h"

/* The result of a comparison. */
struct comparison {
    size_t compared;    /* elements looked at */
    size_t wrong;       /* elements outside the tolerance */
    size_t first_wrong; /* index of the first of them; meaningful when wrong > 0 */
    double worst;       /* the largest error seen; 1 is what the tolerance allows; where it allows nothing, the
                           difference itself (compare_bits: 1); +inf for NaN or infinity against another number */
    size_t worst_at;    /* where */
};

/* |actual - expected| <= absolute + relative * |expected| passes; NaN passes only against NaN, an infinity only
 * against the same infinity. Both 0 means: the same bits (so -0 differs from +0). */
struct tolerance {
    double absolute;
    double relative;
};

/* Compares `count` elements. Integer types are always compared bit by bit; complex types per component. */
void comparator_compare(enum element_type type, const void *actual, const void *expected, size_t count,
                        struct tolerance tolerance, struct comparison *result);

/* Compares bytes (no tolerance); first_wrong and worst_at count in elements of `element_bytes`. */
void comparator_compare_bits(const void *actual, const void *expected, size_t count, size_t element_bytes,
                             struct comparison *result);

/* Plants NaN, Inf, a wrong tail, untouched output and an output off by one row, and demands that each is caught.
 * STATUS_FAILED names the one that slipped through. */
enum status comparator_self_test(struct error *error);

/* The same of any function with comparator_compare's contract: shows that the self-test recognises a bad one. */
typedef void (*comparator_function)(enum element_type type, const void *actual, const void *expected, size_t count,
                                    struct tolerance tolerance, struct comparison *result);
enum status comparator_self_test_of(comparator_function compare, struct error *error);
