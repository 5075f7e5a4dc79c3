/* A CPU rung's compiled code: this program's own object code, by objdump. */
#ifndef USKOR_EXPLAIN_COMPILED_HOST_CODE_H
#define USKOR_EXPLAIN_COMPILED_HOST_CODE_H

#include "explain/compiled/compiled.h"

/* As explain_compile, x86-64 only. The functions that the rung's enqueue leads to (by calls, and by tables of functions
 * for instruction sets), of those in the kernel's sources; of several, those with a loop. Functions that this CPU
 * cannot execute are left out. */
enum status host_code_read(const struct kernel *kernel, const struct rung *rung,
                           char architecture[EXPLAIN_ARCHITECTURE_MAX], struct explain_compiled *compiled);

/* The same from any function on, of sources in `folder` (explain/compiled/host_walk.h). */
enum status host_code_read_at(const void *start, const char *folder, char architecture[EXPLAIN_ARCHITECTURE_MAX],
                              struct explain_compiled *compiled);

#endif
