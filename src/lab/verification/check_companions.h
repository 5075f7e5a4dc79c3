/* The problems that one compiled program serves. A device compiles a rung anew for each combination of its tunables;
 * what was compiled for one problem is tried on a few others, too. */
#pragma once

#include "kernels/kernel.h"

#define CHECK_COMPANIONS 6 /* of one problem, at most */

/* Whether problem `index` of the list is tried with what was compiled for problem `first`. Companions have the type,
 * the choices and the same fields at their defaults, as these are macros of the program; they are light, and they lie
 * evenly spread over the list. A problem is not its own companion. */
bool check_is_companion(const struct problem *problems, size_t count, size_t first, size_t index);
