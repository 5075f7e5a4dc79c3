/* The inner loop of `fused`: a column of cells, one vector wide, through the rows of two planes. */
#ifndef USKOR_KERNELS_WAVE_MARCH_H
#define USKOR_KERNELS_WAVE_MARCH_H

#include "kernels/wave/row.h"

/* Planes are kept in pairs, cut into columns of cells. A cell is one vector of points; a column's cells follow each
 * other row by row, the cell of the pair's first plane before that of its second. What a row's neighbours are is then
 * a fixed distance away, and whatever the grid's sides, nothing collides in the caches. */
#define MARCH_PLANES 2

/* The most places to fetch from while a column is made. */
#define MARCH_FETCHES 4

/* One column of two planes, `rows` rows of it. The five columns given begin two rows before the first row made. */
struct wave_march {
    const float *below, *left, *here, *right,
        *above; /* planes z - 2 and z - 1; z and z + 1 at x - 1, x, x + 1; beyond */
    const float *before[MARCH_PLANES];
    float *next[MARCH_PLANES];
    size_t before_stride, next_stride; /* floats from row to row */
    size_t rows;
    bool stream;                      /* nothing reads `next` soon, and it is aligned to a cache line */
    const char *fetch[MARCH_FETCHES]; /* needed soon: a vector's bytes for each row */
    size_t fetches;
};

struct wave_march_functions {
    size_t length; /* floats of a cell */
    void (*march)(const struct wave_march *march, const struct wave_row_weights *weights);
    /* Copies `count` vectors that follow each other to cells that are `stride` floats apart. */
    void (*spread)(const float *row, size_t count, float *cells, size_t stride);
};

/* For this instruction set. */
const struct wave_march_functions *wave_march_vectors(enum cpu_isa isa);

#endif
