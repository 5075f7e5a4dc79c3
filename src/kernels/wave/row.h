/* One row of one step on the CPU: plain C, or the processor's vectors. */
#pragma once

#include <stdbool.h>

#include "backends/cpu/cpu.h"
#include "kernels/wave/wave.h"

/* Rows of nx points: `next` becomes the row at y, z. `next` is `before` or overlaps nothing. */
struct wave_row {
    float *next;
    const float *before, *here;
    const float *near[4], *far[4]; /* at y ± 1 and z ± 1; at y ± 2 and z ± 2 */
    size_t nx;
    bool stream;          /* nothing reads `next` soon: its stores may pass the caches by */
    const float *soon[2]; /* rows of `here` and of `before` that come from memory and will be needed soon */
};

struct wave_row_weights {
    float centre, near, far;
};

static inline struct wave_row_weights wave_row_weights_of(double courant)
{
    struct wave_weights weights = wave_weights_of(courant);
    return (struct wave_row_weights){(float)weights.centre, (float)weights.near, (float)weights.far};
}

typedef void wave_row_function(const struct wave_row *row, const struct wave_row_weights *weights);

/* One point after another. */
wave_row_function wave_row_plain;

/* For this instruction set; wave_row_plain when there is none. */
wave_row_function *wave_row_vectors(enum cpu_isa isa);

/* The sums of the two neighbours along x of point x, which may be at either end, and of those two points away. */
static inline void wave_row_along(const struct wave_row *row, size_t x, float *near, float *far)
{
    size_t nx = row->nx, left = x == 0 ? nx - 1 : x - 1, right = x + 1 == nx ? 0 : x + 1;
    size_t left2 = left == 0 ? nx - 1 : left - 1, right2 = right + 1 == nx ? 0 : right + 1;
    *near = row->here[left] + row->here[right];
    *far = row->here[left2] + row->here[right2];
}

/* Point x alone: for the rows' ends. */
static inline float wave_row_point(const struct wave_row *row, const struct wave_row_weights *weights, size_t x)
{
    float near, far;
    wave_row_along(row, x, &near, &far);
    for (int i = 0; i < 4; i++) {
        near += row->near[i][x];
        far += row->far[i][x];
    }
    return weights->centre * row->here[x] - row->before[x] + (weights->near * near + weights->far * far);
}

/* ---- a whole step ---- */

/* The fields of one step. */
struct wave_step {
    const float *before, *here;
    float *next;
    size_t nx, ny, nz;
    bool stream; /* as in struct wave_row */
};

/* Sets a row up; every neighbour is found, whatever the sides' lengths. */
struct wave_row wave_step_row(const struct wave_step *step, size_t y, size_t z);

/* Step `index` of a run on the cpu. */
struct wave_step wave_step_of(const struct run *run, size_t index);

/* The work of `rows` rows, in points: what a rung's `load` returns. */
double wave_rows_work(const struct wave_grid *grid, size_t rows);

/* Rows from … to - 1 of plane z. */
void wave_step_rows(const struct wave_step *step, const struct wave_row_weights *weights, wave_row_function *function,
                    size_t z, size_t from, size_t to);

/* The walk of the rungs that block: strips of rows, down through all planes. */

/* All steps of the run, strips of `rows` rows at a time. */
void wave_walk_strips(const struct run *run, wave_row_function *function, size_t rows);

/* `load` of such a rung, whose first tunable is the rows of a strip. */
double wave_strips_load(const struct problem *problem, const struct parameters *parameters, int threads);
