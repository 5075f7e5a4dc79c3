/* Time steps of the wave equation on a field that is divided into slabs along z, or into blocks along all axes. A step
 * needs two planes of each neighbour, because the stencil reaches two points far and the field is periodic. They travel
 * before each step. The stencil is a star, so that no point travels across edges and corners. An overlapped step
 * computes the outermost points first, and sends them while it computes the others.
 *
 * A rank's part is a problem of one step on its own points and the halos around them, along divided axes. Such a
 * problem is periodic, so its halos come out wrong; the neighbours' points overwrite them. */
#pragma once

#include "distributed/ranks/wave_blocks.h"

typedef struct wave_blocks wave_divide(const struct problem *problem, int count);

/* For method->begin, end and run. */
enum status wave_halo_begin(struct method_run *run, wave_divide *divide, bool overlapped, struct error *error);
void wave_halo_end(struct method_run *run);
enum status wave_halo_run(struct method_run *run, struct error *error);
