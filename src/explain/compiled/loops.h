/* Loops of machine code, from backward branches. */
#pragma once

#include "explain/compiled/compiled.h"

/* A backward branch, by the instructions' offsets. */
struct loop_jump {
    uint32_t to, from; /* to <= from */
};

/* Fills in kernel->loops and each instruction's innermost loop. A jump whose target is not an instruction is skipped.
 * False when out of memory. */
bool loops_find(struct explain_kernel *kernel, const struct loop_jump *jumps, size_t count);
