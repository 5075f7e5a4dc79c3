/* A core that executes instructions out of order, in windows of a trace: dependences through registers, flags and
 * memory, units, the reorder buffer, mispredicted branches. All data are in the first cache. */
#pragma once

#include "explain/cache/core_steps.h"

/* A branch predictor by perceptrons (Jiménez and Lin, "Dynamic branch prediction with perceptrons", 2001). */
struct branch_predictor;

struct core_window;

/* `share`: of the core that the thread has, from 0 to 1; 1 unless another thread runs on it. NULL when memory is out.
 * `steps` and `core` stay the caller's. */
struct core_window *core_window_create(const struct core_step *steps, const struct cpu_core *core, double share);
void core_window_destroy(struct core_window *window);

/* An empty core; what branches did before is remembered. */
void core_window_begin(struct core_window *window);

/* Executes an instruction that `next` follows; `address` of its access, 0: unknown. */
void core_window_step(struct core_window *window, size_t index, size_t next, uint64_t address);

/* When the last instruction has left the core, in clocks since the beginning; how many branches were mispredicted. */
double core_window_clock(const struct core_window *window);
size_t core_window_mispredicted(const struct core_window *window);
