/* Elements of 16 bits as floats, for rungs that multiply floats. */
#ifndef USKOR_KERNELS_MATMUL_HALF_FLOATS_H
#define USKOR_KERNELS_MATMUL_HALF_FLOATS_H

#include "kernels/matmul/matmul.h"

/* Bytes of half_to_floats's memory, for one product. */
size_t half_floats_bytes(const struct product *product);

/* The same product of floats in `memory`, without gaps: A and B are converted; C is not read, so its alpha is 1 and its
 * beta 0. */
struct product half_to_floats(const struct product *product, void *memory);

/* C = alpha·S + beta·C of the product, from the floats S that were computed. */
void half_from_floats(const struct product *product, const struct product *floats);

#endif
