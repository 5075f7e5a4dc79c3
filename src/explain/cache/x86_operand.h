/* What an x86-64 instruction, as objdump prints it, does with memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define X86_NO_REGISTER (-1)
#define X86_RIP 16

struct x86_operand {
    int base, index; /* registers by their number in the encoding, X86_RIP as a base, or X86_NO_REGISTER */
    int scale;       /* 1, 2, 4, 8 */
    int32_t displacement;
    unsigned bytes;
    bool is_written, is_read; /* both: read, changed and written */
    bool is_prefetch;
    bool bypasses; /* a non-temporal store */
};

enum x86_memory {
    X86_NO_MEMORY, /* or none that counts: calls, pushes, addresses that are only computed */
    X86_PLAIN,     /* one operand in memory */
    X86_OTHER,     /* several addresses (gathers, repeated string operations), or a segment of its own */
};

/* `words`: "vmovups (%rax,%rdx,4),%ymm0". The displacement of an operand on %rip is not filled in. */
enum x86_memory x86_operand_of(const char *words, struct x86_operand *operand);

/* Reads "0x8(%rax,%rdx,4)" alone. False for what is not an address of this form. */
bool x86_address_of(const char *text, struct x86_operand *operand);

/* The number of a 64-bit register, "rax"; X86_NO_REGISTER. */
int x86_register_of(const char *name, unsigned length);
