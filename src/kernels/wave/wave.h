/* The scheme that every rung computes, and what the rungs share.
 *
 * The wave equation u_tt = c² (u_xx + u_yy + u_zz) on a grid of nx × ny × nz points with equal spacing h and time step
 * dt; x runs fastest. With the Courant number r = c·dt / h, second order in time and fourth in space (the 13 points of
 * three lines that cross; the weights are Fornberg's, Mathematics of Computation 51, 1988, table 1):
 *
 *   next = 2 here - before + r² Σ over x, y, z of (-1/12, 4/3, -5/2, 4/3, -1/12) · line
 *
 * The boundaries are periodic: the point after the last is the first, in each direction, for grids of any size (one
 * point is its own neighbour). Stable up to r = 1/2: the largest eigenvalue of the space part is 3 · 16/3. */
#pragma once

#include <stddef.h>

#include "kernels/kernel.h"

#define WAVE_COURANT_MAXIMUM 0.5

/* How far the stencil reaches. */
#define WAVE_REACH 2

enum wave_array { WAVE_PREVIOUS, WAVE_CURRENT, WAVE_RESULT };

/* The order of wave_inputs (inputs.h). */
enum wave_input {
    WAVE_INPUT_PLANE,
    WAVE_INPUT_RANDOM,
    WAVE_INPUT_DYADIC,
    WAVE_INPUT_TINY,
    WAVE_INPUT_HUGE,
    WAVE_INPUT_WIDE,
    WAVE_INPUT_STRUCTURED,
};

/* next = centre · here - before + near · (6 neighbours) + far · (6 neighbours at distance 2) */
struct wave_weights {
    double centre, near, far;
};

struct wave_weights wave_weights_of(double courant);

struct wave_grid {
    size_t nx, ny, nz;
    size_t steps;
    double courant;
};

struct wave_grid wave_grid_of(const struct problem *problem);

/* Where point i, which may lie outside, is in a periodic line of n points. It is never far outside: a subtraction costs
 * less than a division. */
static inline size_t wave_wrap(ptrdiff_t i, size_t n)
{
    while (i < 0)
        i += (ptrdiff_t)n;
    while (i >= (ptrdiff_t)n)
        i -= (ptrdiff_t)n;
    return (size_t)i;
}

/* The fields of one step out of several, when each step is a pass of its own: `next` may be `before` itself (each point
 * of it is read once, by whoever then writes it), never `here`. Two fields beyond the inputs are enough: the result and
 * one in scratch memory; which is which depends on the number of steps, so that the last one leaves the result. */
enum wave_field { WAVE_FIELD_PREVIOUS, WAVE_FIELD_CURRENT, WAVE_FIELD_RESULT, WAVE_FIELD_SCRATCH };
struct wave_turn {
    enum wave_field before, here, next;
};
struct wave_turn wave_turn(size_t step, size_t steps);

/* Bytes of the field in scratch memory: none for a single step. A rung's scratch function. */
size_t wave_turn_scratch(const struct problem *problem, const struct device *device,
                         const struct parameters *parameters);

/* kernel->split (split.c). */
const char *wave_split(const struct problem *problem, size_t index, size_t count, struct job_part *part, char *reason,
                       size_t size);

/* kernel->plain (plain.c). */
extern const struct plain_signature wave_plain;
