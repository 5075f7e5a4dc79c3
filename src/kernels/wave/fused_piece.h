/* One piece of a pass of `fused`: several steps of a part of the grid, in memory of its own. */
#pragma once

#include "backends/cpu/copy.h"
#include "kernels/wave/pair.h"
#include "kernels/wave/row.h"

#define WAVE_PASS_STEPS 8 /* most steps of a pass */

/* `steps` steps from (before, here). */
struct wave_pass {
    struct wave_grid grid;
    struct wave_row_weights weights;
    wave_row_function *function;
    struct wave_pair_functions pairs; /* row function used when two planes are computed together */
    copy_part *copy;                  /* what rows of last_but_one are copied with */
    const float *before, *here;
    float *last_but_one, *last; /* last_but_one: NULL after the last step; with one step it is not written */
    size_t steps, rows;         /* rows of a strip */
};

/* Rows y0 … y1 - 1 of planes z0 … z1 - 1. */
struct wave_piece {
    size_t y0, y1, z0, z1;
    float *memory; /* as wave_piece_floats says, aligned to a cache line; what is in it does not matter */
};

/* Floats that a piece needs, whatever its sides; SIZE_MAX when that overflows. */
size_t wave_piece_floats(const struct wave_pass *pass);

/* Computes the piece from the inputs alone: pieces are independent and may be computed at the same time. */
void wave_make_piece(const struct wave_pass *pass, const struct wave_piece *piece);
