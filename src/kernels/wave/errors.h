/* How far rounding may take a long run from the exact one. */
#ifndef USKOR_KERNELS_WAVE_ERRORS_H
#define USKOR_KERNELS_WAVE_ERRORS_H

#include "kernels/wave/wave.h"

struct wave_magnitudes {
    double amplitude;        /* no field's magnitude exceeds it */
    double root_mean_square; /* nor does a field's root mean square */
    double initial;          /* the larger of the inputs' root mean squares */
    double mean;             /* no field's mean exceeds it: the one part of a field that grows with every step */
    bool is_homogeneous;     /* points differ in magnitude by chance only, not by many powers of two */
    double plane_frequency;  /* of a plane wave, radians per step; NAN: the fields hold all frequencies alike */
};

struct wave_tolerance {
    double point;            /* what any point may be off */
    double root_mean_square; /* what all of them may be off in the root mean square */
};

/* After grid->steps steps in float; derived in errors.c. `rounded_input`: the inputs are themselves rounded from what
 * the expected values start with. */
struct wave_tolerance wave_tolerance_of(const struct wave_grid *grid, const struct wave_magnitudes *magnitudes,
                                        bool rounded_input);

#endif
