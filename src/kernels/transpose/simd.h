/* The interface between the rung `simd` and its instruction sets. */
#ifndef USKOR_KERNELS_TRANSPOSE_SIMD_H
#define USKOR_KERNELS_TRANSPOSE_SIMD_H

#include "kernels/transpose/transpose.h"

/* Some rows and columns of the input: what one thread transposes. */
struct part {
    size_t row, rows_end, col, cols_end;
};

/* One instruction set's way, for any part of any matrix. */
struct simd_level {
    /* Stores that stay in the caches: for matrices that fit there. */
    void (*keep)(const struct transposition *t, struct part part);
    /* Stores of whole lines that pass the caches by. All written is visible to other threads on return. */
    void (*stream)(const struct transposition *t, struct part part);
};

extern const struct simd_level transpose_simd_base;
#ifdef __x86_64__
extern const struct simd_level transpose_simd_avx2, transpose_simd_avx512;
#endif

#endif
