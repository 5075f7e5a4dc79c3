/* The scheme in double precision, for the judge alone: it shares no code with a rung, and its weights are its own. */
#pragma once

#include "kernels/wave/wave.h"

/* As many steps have a bound for each point: it grows threefold with each step, whatever the errors do. */
#define WAVE_BOUND_STEPS 4

/* next = centre · here + before · before + near · (6 neighbours) + far · (6 neighbours at distance 2) */
struct wave_scheme {
    double centre, before, near, far;
};

/* The scheme for this Courant number; with courant = sqrt(3)/4 the weights are 19/32, 1/4 and -1/64 exactly. */
struct wave_scheme wave_scheme_of(double courant);

/* A finished run. */
struct wave_reference {
    double *field;  /* the last step */
    double *bounds; /* what rounding may do to each point of it; NULL after more than WAVE_BOUND_STEPS steps */
    double amplitude, root_mean_square, mean; /* of the step for which each is largest */
    double initial;                           /* the root mean square of the larger input */
    double *memory;                           /* the caller frees it; NULL: there was none */
};

struct wave_reference wave_reference_of(const struct wave_grid *grid, const float *previous, const float *current);
