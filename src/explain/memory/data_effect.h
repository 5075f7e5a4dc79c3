/* Whether data decide what a kernel function does: found out by running it on random data. */
#ifndef USKOR_EXPLAIN_MEMORY_DATA_EFFECT_H
#define USKOR_EXPLAIN_MEMORY_DATA_EFFECT_H

#include "explain/memory/buffers.h"
#include "explain/memory/group.h"

/* Runs the launch's first and middle groups twice in a child process, whose writes this one does not see: on the data
 * as they are, and with random bits wherever global memory is loaded. When every access is the same, data decide
 * nothing. The answer is remembered for the program's function; DATA_DECIDES, too, where it cannot be found out. */
enum data_effect data_effect_of(struct group_runner *runner, const struct launch *launch, struct trace_arena *arena);

#endif
