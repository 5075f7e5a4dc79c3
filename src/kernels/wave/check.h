/* The judge of the wave: every point against the plane wave's exact development, or against the scheme in double
 * precision.
 *
 * Up to WAVE_EXACT_STEPS steps of input=dyadic must be right to the last bit. Up to WAVE_BOUND_STEPS steps each point
 * has a bound of its own (reference.h). Beyond, points and their root mean square have one tolerance each.
 */
#pragma once

#include "kernels/wave/wave.h"

/* kernel->check. */
void wave_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                struct host_arrays output, struct check_result *result);
