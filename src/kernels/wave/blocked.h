/* The walk of the rungs that block: strips of rows, down through all planes. */
#pragma once

#include "kernels/wave/row.h"

/* All steps of the run, strips of `rows` rows at a time. */
void wave_walk_strips(const struct run *run, wave_row_function *function, size_t rows);

/* `load` of such a rung, whose first tunable is the rows of a strip. */
double wave_strips_load(const struct problem *problem, const struct parameters *parameters, int threads);
