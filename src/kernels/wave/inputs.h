/* The fields that a problem begins with. */
#pragma once

#include "kernels/wave/wave.h"

/* Names, in the order of enum wave_input; NULL-terminated. */
extern const char *const wave_inputs[];

/* input=dyadic: small integers, and with r² = 3/16 weights of a few bits. Every sum, in any order, has at most 24 bits:
 * nothing is rounded. The integers are random in runs of as many steps; in longer ones, and on large grids, they have
 * period two along each axis (checkered.h). */
#define WAVE_EXACT_STEPS 3

/* Whether the inputs have period two. */
bool wave_input_is_checkered(const struct problem *problem);

/* sqrt(3)/4. */
#define WAVE_DYADIC_COURANT 0.43301270189221932338

/* kernel->fill and kernel->imply. */
void wave_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);
enum status wave_imply(struct problem *problem, const bool *given, struct error *error);
