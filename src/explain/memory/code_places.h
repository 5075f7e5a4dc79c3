/* From a code of the trace to a line of the source, and from an offset in local memory to the array there. */
#ifndef USKOR_EXPLAIN_MEMORY_CODE_PLACES_H
#define USKOR_EXPLAIN_MEMORY_CODE_PLACES_H

#include <stdint.h>

#include "explain/memory/traced_program.h"

/* Finds the lines of `count` events, 0 where debug information has none in the source. Where a function was put into
 * another one, the line is the innermost of the source. STATUS_UNAVAILABLE when the machine has no addr2line. */
enum status code_lines(const struct traced_program *program, const unsigned *codes, size_t count, int *lines,
                       struct error *error);

/* The name of the array in local memory at this offset: "tile"; "shared memory" where there is none. */
void code_local_array(const struct traced_program *program, uint64_t offset, char name[KERNEL_NAME_MAX]);

#endif
