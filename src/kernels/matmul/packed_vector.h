/* Products with one row or one column of C, for `packed`: each element of a large factor is used once, so none is
 * packed. */
#pragma once

#include "kernels/matmul/matmul.h"

/* Whether this product is one. */
bool packed_is_vector(const struct product *p);

/* Scratch memory of a thread. */
size_t packed_vector_bytes(const struct product *p);

/* C = alpha·A·B + beta·C, for all products of a batch, on at most so many threads, each with its scratch memory. As
 * many threads give the same bits each time. */
void packed_vector(const struct product *batch, size_t threads, void *scratch);
