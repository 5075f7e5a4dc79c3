/* The judge of the wave: every point against the plane wave's exact development, or against the scheme in double
 * precision. */
#ifndef USKOR_KERNELS_WAVE_CHECK_H
#define USKOR_KERNELS_WAVE_CHECK_H

#include "kernels/wave/wave.h"

/* kernel->check. */
void wave_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                struct host_arrays output, struct check_result *result);

/* What a point may be off, given that no field exceeds `amplitude`: see check.c. `rounded_input`: the inputs are
 * themselves rounded from what the expected values start with. */
double wave_tolerance(const struct wave_grid *grid, double amplitude, bool rounded_input);

#endif
