/* x86-64 code as objdump prints it (AT&T's way), and what its instructions are. */
#ifndef USKOR_EXPLAIN_COMPILED_X86_LISTING_H
#define USKOR_EXPLAIN_COMPILED_X86_LISTING_H

#include "explain/compiled/compiled.h"

/* Class, space and bits of an instruction: "vfmadd231ps (%rax),%ymm1,%ymm2". `vector_bits` receives the width of the
 * vectors that it computes with or moves, 0 for one number at a time. False for what does nothing (nop). */
bool x86_classify(const char *words, struct explain_instruction *instruction, int *vector_bits);

/* Reads lines "  90:<tab>vaddps …" of the code from `first` to before `end` into the kernel: instructions, loops,
 * widest vectors, and vectors that go to the stack and come from it (in spill_store_bytes, spill_load_bytes). False
 * when memory is out. */
bool x86_read(const char *text, uint64_t first, uint64_t end, struct explain_kernel *kernel);

#endif
