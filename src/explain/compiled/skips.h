/* Instructions that not every warp executes: what branches forwards and early exits leave out. */
#pragma once

#include "explain/compiled/compiled.h"

/* A branch or an exit, by indexes of instructions. */
struct skip_branch {
    size_t at, to; /* of an exit: the end of the code that the kernel itself has */
    bool is_exit;
    bool is_conditional; /* under a predicate */
};

/* Fills in kernel->skips. `branches` are in the order of the code; those backwards skip nothing. False when out of
 * memory. */
bool skips_find(struct explain_kernel *kernel, const struct skip_branch *branches, size_t count);
