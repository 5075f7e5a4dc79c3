/* A block of the matrix, small enough that its lines stay in L1 until each is used whole, even where rows a power of
 * two apart share few cache sets. */
#pragma once

#include <string.h>

#include "kernels/transpose/transpose.h"

#define BLOCK 16 /* elements along each side: of float, one line of the caches */

/* Transposes the block whose first element is at (row, col), cut at the matrix's edges. It walks along the output's
 * rows: what is written is written once, in order; what is read is read again from the cache. (By value: stores of
 * bytes might change a structure that others can see, as far as the compiler knows.) */
static FOR_EACH_SIZE void transpose_block(struct transposition t, size_t row, size_t col, size_t bytes)
{
    const unsigned char *restrict in = t.in;
    unsigned char *restrict out = t.out;
    size_t rows_end = t.rows - row < BLOCK ? t.rows : row + BLOCK;
    size_t cols_end = t.cols - col < BLOCK ? t.cols : col + BLOCK;
    /* begin block */
    for (size_t c = col; c < cols_end; c++)
        for (size_t r = row; r < rows_end; r++)
            memcpy(out + (c * t.rows + r) * bytes, in + (r * t.cols + c) * bytes, bytes);
    /* end block */
}
