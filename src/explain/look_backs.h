/* A trace runs one group after another, so a group that looks back finds its predecessor's sum complete and reads one
 * word. On a device it reads several (explain/model/look_back_rounds.h). */
#pragma once

#include "explain/compiled/compiled.h"
#include "explain/memory/access_trace.h"
#include "explain/occupancy/occupancy.h"

/* Multiplies what the loads of look-backs moved by their mean rounds. `occupancies`: one for each kernel, or NULL. Does
 * nothing where no machine code was read. */
void explain_trace_look_back(const struct explain_compiled *compiled, const struct explain_occupancy *occupancies,
                             double units, struct explain_trace *trace);
