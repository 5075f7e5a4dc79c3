/* A solution of the scheme that is known at every step. */
#pragma once

#include "kernels/wave/wave.h"

/* u(x, y, z, t) = cos(kx·x + ky·y + kz·z - omega·t + phase), in points and steps. With whole periods along each side it
 * fits the periodic grid, and with omega from the scheme's own dispersion relation,
 *
 *   cos(omega) = 1 - r²/2 Σ (5/2 - 8/3 cos k + 1/6 cos 2k),
 *
 * it is an exact solution of the scheme, not only of the equation: the check need allow for nothing but rounding. */
struct plane_wave {
    struct wave_grid grid;
    double k[3];  /* along x, y, z: radians per point */
    double omega; /* radians per step */
    double phase;
};

/* The scheme's frequency for these wave numbers. */
double plane_wave_frequency(const double k[3], double courant);

/* The wave of this problem: its direction, length (from 4 to about 16 points along each side that is long enough) and
 * phase come from the seed. */
struct plane_wave plane_wave_of(const struct problem *problem);

/* One row of the wave at time `step` in double precision: `turns` are the cosines and sines of kx·x, 2 · nx of them. */
void plane_wave_row(const struct plane_wave *wave, const double *turns, double step, size_t y, size_t z, double *row);

/* Cosines and sines of kx·x for a whole row, for plane_wave_row; the caller frees it. NULL: no memory. */
double *plane_wave_turns(const struct plane_wave *wave);

/* Writes the whole field at time `step`, rounded to float. */
void plane_wave_write(const struct plane_wave *wave, double step, float *field);
