/* The inner loops of the blocked rungs, once for each instruction set: vectors as the compiler makes them. */
#pragma once

#include <stddef.h>

/* Rows and columns of the blocks: three of them in float are 48 KiB, a part of the second-level cache. */
#define BLOCK 64

/* c[j] += factor * b[j * step] for every j < count. */
typedef void add_row_float(float *c, const float *b, size_t step, float factor, size_t count);
typedef void add_row_double(double *c, const double *b, size_t step, double factor, size_t count);

/* sums[j] += a[l * a_step] * b[l * b_down + j * b_across] for every l < depth and j < count, count at most BLOCK. */
typedef void sum_rows_float(float *sums, const float *b, size_t b_down, size_t b_across, const float *a, size_t a_step,
                            size_t depth, size_t count);
typedef void sum_rows_double(double *sums, const double *b, size_t b_down, size_t b_across, const double *a,
                             size_t a_step, size_t depth, size_t count);

/* The functions for cpu_isa(). */
add_row_float *best_add_row_float(void);
add_row_double *best_add_row_double(void);
sum_rows_float *best_sum_rows_float(void);
sum_rows_double *best_sum_rows_double(void);
