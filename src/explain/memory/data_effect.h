/* Whether a kernel function's accesses depend on data: it is run on random data and compared. */
#pragma once

#include "explain/memory/buffers.h"
#include "explain/memory/group.h"

/* Runs the launch's first and middle groups twice in a child process, whose writes are private: on the data as they
 * are, and with random bits for every load from global memory. When all accesses are the same, the data decide nothing.
 * The answer is stored for the program's function. DATA_DECIDES also when it cannot be determined. `events` receives
 * the warps' events in the busier of these groups; 0: unknown. */
enum data_effect data_effect_of(struct group_runner *runner, const struct launch *launch, struct trace_arena *arena,
                                uint64_t *events);
