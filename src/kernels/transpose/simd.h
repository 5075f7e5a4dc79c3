/* The interface between the rung `simd` and its instruction sets. */
#pragma once

#include <stdbool.h>

#include "kernels/transpose/transpose.h"

/* Some rows and columns of the input: what one thread transposes. */
struct part {
    size_t row, rows_end, col, cols_end;
};

/* One instruction set's way, for any part of any matrix. */
struct simd_level {
    /* Stores that stay in the caches: for matrices that fit there. */
    void (*keep)(const struct transposition *t, struct part part);
    /* Stores of whole lines that pass the caches by. All written is visible to other threads on return. Pitches are
     * multiples of an element. */
    void (*stream)(const struct transposition *t, struct part part);
};

/* Ordinary stores, as `keep`, of elements of any size. */
void transpose_keep(const struct transposition *t, struct part part);

/* Whether the levels have code for elements of this size. */
static inline bool transpose_has_size(size_t bytes)
{
    return bytes <= 16 && bytes > 0 && (bytes & (bytes - 1)) == 0;
}

extern const struct simd_level transpose_simd_base;
#ifdef __x86_64__
extern const struct simd_level transpose_simd_avx2, transpose_simd_avx512;
#endif
