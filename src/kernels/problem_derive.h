/* Sizes of a problem that follow from others. */
#pragma once

#include "kernels/kernel.h"

/* Gives them their values, but those that are `given` (NULL: none is). STATUS_INVALID when one is outside its limits,
 * or what was given contradicts. */
enum status problem_derive(struct problem *problem, const bool *given, struct error *error);
