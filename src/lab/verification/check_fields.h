/* A kernel's fields as a list of problems needs them: how many sides, which inputs are exact, which choices make other
 * code. */
#pragma once

#include "kernels/kernel.h"

size_t check_sides(const struct kernel *kernel);

/* The place of the field "input" and in *choice its choice of this name; SIZE_MAX where there is none. */
size_t check_input(const struct kernel *kernel, const char *name, int64_t *choice);

/* Gives the problem inputs on which a right sum rounds nothing, so that one missing term shows among thousands. False
 * where its kernel has none. */
bool check_set_exact(struct problem *problem);

/* Sets combination `which` of the choices that make other code of a kernel, such as transposed operands. Returns how
 * many combinations there are. */
size_t check_combine(const struct kernel *kernel, size_t which, struct problem *problem);
