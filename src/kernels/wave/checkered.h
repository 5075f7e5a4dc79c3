/* Fields of period two along each axis, on which the scheme with r² = 3/16 is exact, however many steps it takes. */
#pragma once

#include "kernels/wave/wave.h"

/* A value for each parity of z, y and x; along an axis of odd length both parities have the same.
 *
 * Such a field is a sum of modes (±1)^x (±1)^y (±1)^z, and the scheme multiplies a mode by 2, 1, 0 or -1. So every
 * field that follows has multiples of 1/8. The inputs are integers up to 250 from 4096, and of the same mean, which
 * stays: no field exceeds 4346 + 7 · 500, and no partial sum, in any order, 3.1875 · 8096 · 512 units of 2^-9, which
 * is less than 2^24. */
struct checkered_field {
    double values[2][2][2];
};

/* The inputs of a problem. */
void checkered_inputs(const struct problem *problem, struct checkered_field *previous, struct checkered_field *current);

/* The field after all of the problem's steps. */
struct checkered_field checkered_result(const struct problem *problem);

/* Row (y, z) of the field, of nx points. */
void checkered_row(const struct checkered_field *field, size_t nx, size_t y, size_t z, double *row);
