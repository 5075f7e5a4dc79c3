/* The transpose on several devices. Rows of the input and rows of the output are dealt out in blocks of BLOCK_ROWS. */
#ifndef USKOR_DISTRIBUTED_TRANSPOSE_TRANSPOSE_H
#define USKOR_DISTRIBUTED_TRANSPOSE_TRANSPOSE_H

#include "distributed/ladder.h"

#define BLOCK_ROWS 64

struct matrix_shape {
    size_t rows, cols, element; /* of the input; bytes of an element */
};

struct matrix_shape matrix_shape_of(const struct problem *problem);

/* Where device `index`'s rows of the input (of the output) begin; index = count: end. */
static inline size_t input_begin(struct matrix_shape shape, size_t count, size_t index)
{
    return deal_begin(shape.rows, BLOCK_ROWS, count, index);
}

static inline size_t output_begin(struct matrix_shape shape, size_t count, size_t index)
{
    return deal_begin(shape.cols, BLOCK_ROWS, count, index);
}

#endif
