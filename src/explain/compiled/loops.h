/* Loops of machine code: what lies between a branch backwards and where it leads. */
#ifndef USKOR_EXPLAIN_COMPILED_LOOPS_H
#define USKOR_EXPLAIN_COMPILED_LOOPS_H

#include "explain/compiled/compiled.h"

/* A branch backwards, by the offsets of instructions. */
struct loop_jump {
    uint32_t to, from; /* to <= from */
};

/* Fills in kernel->loops and each instruction's innermost loop. Jumps that lead to no instruction are passed over.
 * False when memory is out. */
bool loops_find(struct explain_kernel *kernel, const struct loop_jump *jumps, size_t count);

#endif
