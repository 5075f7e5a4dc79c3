/* One step of rows of two planes that lie on each other: what both read is loaded once. */
#pragma once

#include "kernels/wave/row.h"

#define WAVE_PAIR_SOON 8

/* Row y of planes z and z + 1: the first points of rows of nx points. Rows y - 2 … y + 3 lie `stride` floats from each
 * other, in all planes of `here`. `next` is `before` or overlaps nothing. */
struct wave_pair {
    const float *below[2], *here[2], *above[2]; /* planes z - 2 and z - 1; z and z + 1; z + 2 and z + 3 */
    const float *before[2];
    float *next[2];
    ptrdiff_t stride, before_stride, next_stride;
    size_t nx;                         /* whole vectors, and at least two */
    bool stream;                       /* nothing reads `next` soon: its stores may pass the caches by */
    const float *soon[WAVE_PAIR_SOON]; /* rows that come from memory and will be needed soon */
    int soon_count;                    /* 0, half of them, or all */
};

typedef void wave_pair_function(const struct wave_pair *pair, const struct wave_row_weights *weights);

struct wave_pair_functions {
    wave_pair_function *one, *two; /* make row y; make rows y and y + 1 */
};

/* For this instruction set and rows of nx points; NULL where there is none. */
struct wave_pair_functions wave_pair_vectors(enum cpu_isa isa, size_t nx);
