/* x86-64 code as objdump prints it (AT&T syntax), and the classes of its instructions. */
#pragma once

#include "explain/compiled/compiled.h"

/* Classifies an instruction: "vfmadd231ps (%rax),%ymm1,%ymm2". `vector_bits` receives the width of its vectors, 0 for
 * scalars. Returns false for a no-operation. */
bool x86_classify(const char *words, struct explain_instruction *instruction, int *vector_bits);

/* Reads the lines "  90:<tab>vaddps …" of the code in [first, end) into the kernel: instructions, loops, the widest
 * vectors, and vectors spilled to the stack (spill_store_bytes, spill_load_bytes). False when out of memory. */
bool x86_read(const char *text, uint64_t first, uint64_t end, struct explain_kernel *kernel);
