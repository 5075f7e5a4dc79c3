/* CUDA's machine code as text, by nvdisasm, and the classes of its instructions. */
#pragma once

#include "explain/compiled/sass_opcodes.h"

/* Disassembles a cubin by `nvdisasm -c -gi -ndf`, once: the text is kept in the cache on disk
 * (base/compile_cache.h). The caller frees *text. STATUS_UNAVAILABLE without nvdisasm
 * (USKOR_NVDISASM names one), or when it does not know the architecture. */
enum status sass_disassemble(const void *image, size_t bytes, char **text, struct error *error);

/* Reads the instructions of the function kernel->name from such a text, with their lines of `file`, and counts them.
 * Code after the function's end (a branch to itself, then only padding) is left out. STATUS_INVALID when the text has
 * no such function. */
enum status sass_read(const char *text, const char *file, struct explain_kernel *kernel, struct error *error);

/* Class, unit, space and bits of an instruction, from its text: "LDG.E.128 R4, desc[UR4][R2.64]". */
struct explain_instruction sass_classify(const char *words);
