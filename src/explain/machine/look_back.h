/* Loops of a decoupled look-back (Merrill and Garland, 2016): a group reads what the groups before it published, one
 * after another, until it meets a sum that is complete. */
#pragma once

#include "explain/compiled/compiled.h"
#include "explain/machine/instruction.h"

/* Sets `looks_back` of such loops: one that stores nothing, whose last branch hangs on loaded data (`is_unknown`, one
 * for each instruction), and that moves the address of a load past the first cache. */
void machine_mark_look_backs(const struct machine_code *code, const bool *is_unknown, struct explain_kernel *kernel);
