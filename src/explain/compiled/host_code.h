/* A CPU rung's compiled code: this program's own code, decoded. */
#pragma once

#include "explain/compiled/compiled.h"

/* As explain_compile, on x86-64 only. It reads the functions in the kernel's sources that the rung's enqueue reaches,
 * by calls and by tables of functions per instruction set; of several, those with a loop. Functions that this CPU
 * cannot execute are left out. */
void host_code_read(const struct kernel *kernel, const struct rung *rung, char architecture[EXPLAIN_ARCHITECTURE_MAX],
                    struct explain_compiled *compiled);

/* The same from any function on, of sources in `folder` (explain/compiled/host_walk.h). */
void host_code_read_at(const void *start, const char *folder, char architecture[EXPLAIN_ARCHITECTURE_MAX],
                       struct explain_compiled *compiled);
