/* A function's x86-64 code. */
#pragma once

#include "explain/compiled/compiled.h"

/* Reads the code into the kernel: instructions, loops, the widest vectors, and vectors spilled to the stack
 * (spill_store_bytes, spill_load_bytes). False, and it has no instructions, when out of memory. */
bool x86_read(const void *code, size_t bytes, struct explain_kernel *kernel);
