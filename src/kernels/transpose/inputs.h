/* The contents of the transpose's matrices. */
#pragma once

#include "kernels/kernel.h"

/* kernel->fill: random bits; with input=numbers every float is finite and normal, with input=bits some are NaNs of all
 * payloads, zeros of both signs, subnormals and infinities. */
void transpose_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);
