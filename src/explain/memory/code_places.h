/* Maps a trace's code to a source line, and an offset in local memory to its array. */
#pragma once

#include <stdint.h>

#include "explain/memory/traced_program.h"

/* Finds the source lines of `count` events; 0 without debug information in the source. For an inlined function it is
 * the innermost line in the source. STATUS_UNAVAILABLE without addr2line. */
enum status code_lines(const struct traced_program *program, const unsigned *codes, size_t count, int *lines,
                       struct error *error);

/* Writes the name of the array in local memory at this offset: "tile"; "shared memory" where there is none. */
void code_local_array(const struct traced_program *program, uint64_t offset, char name[KERNEL_NAME_MAX]);
