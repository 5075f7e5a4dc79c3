/* Machine code for tests of its reading: instructions in the assembler's words, in the order in which they are decoded.
 */
#pragma once

#include "explain/compiled/x86.h"

/* Code of the name: "add %rax,%rdx\n…". */
#define X86_TEXT(name, text)                         \
    extern const unsigned char name[], name##_end[]; \
    __asm__(".pushsection .rodata\n" #name ":\n" text "\n" #name "_end:\n.popsection")

#define X86_LINE(text, ...) text "\n"

/* The next instruction; `at` moves behind it. */
static inline struct x86_instruction x86_next(const unsigned char **at, const unsigned char *end)
{
    struct x86_instruction one = x86_decode(*at, (size_t)(end - *at), (uintptr_t)*at);
    *at += one.code.length;
    return one;
}
