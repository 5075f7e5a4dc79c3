/* Elements in a wider type, for rungs that multiply that: 16 bits as floats, or in high precision all as doubles. */
#pragma once

#include "kernels/matmul/matmul.h"

/* The type that is multiplied: the elements' own where nothing is converted. */
static inline enum element_type product_factors(const struct product *p)
{
    return p->high ? ELEMENT_F64 : element_is_half(p->type) ? ELEMENT_F32 : p->type;
}

/* Bytes of half_to_floats's memory, for one product. */
size_t half_floats_bytes(const struct product *product);

/* The same product of the wider type in `memory`, without gaps: A and B are converted; C is not read, so its alpha is 1
 * and its beta 0. */
struct product half_to_floats(const struct product *product, void *memory);

/* C = alpha·S + beta·C of the product, from the sums S that were computed. */
void half_from_floats(const struct product *product, const struct product *floats);
