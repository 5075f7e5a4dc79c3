/* Decoupled look-backs: how many words a group reads back while other groups run beside it. A trace runs one group
 * after another, so a group finds its predecessor's sum complete and reads one word. On a device it reads several. */
#pragma once

#include "explain/compiled/compiled.h"
#include "explain/occupancy/occupancy.h"

/* The groups of a launch that run at once on `units` multiprocessors; `occupancy` may be NULL. */
double explain_groups_at_once(const struct explain_kernel *kernel, const struct explain_occupancy *occupancy,
                              double units);

/* Rounds of the last of the groups that run at once, and the mean over all of them; at least 1. */
double look_back_last(double at_once);
double look_back_mean(double at_once);

/* Whether the loop, or one around it, is a look-back; -1: no loop. */
bool kernel_looks_back(const struct explain_kernel *kernel, int loop);

/* Multiplies what the loads of look-backs moved by their mean rounds. `occupancies`: one for each kernel, or NULL. Does
 * nothing where no machine code was read. */
void explain_trace_look_back(const struct explain_compiled *compiled, const struct explain_occupancy *occupancies,
                             double units, struct explain_trace *trace);
