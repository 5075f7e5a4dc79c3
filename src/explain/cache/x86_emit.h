/* Machine code of x86-64, written instruction by instruction: those few that recording needs. None of the functions for
 * recording changes flags, the stack or a register that it does not put back. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/compiled/x86.h"

struct x86_code {
    unsigned char *bytes; /* where it is written and executed */
    size_t count, capacity;
    bool is_full, is_too_far; /* no room, or a distance of more than 31 bits: the code is useless then */
};

void x86_emit_bytes(struct x86_code *code, const void *bytes, size_t count);
void x86_emit_word(struct x86_code *code, uint32_t word);

/* "jmp", "call" (0xe9, 0xe8) or a condition's two bytes (0x0f, 0x80 + c), then the distance to the target. */
void x86_emit_branch(struct x86_code *code, const unsigned char *opcode, size_t bytes, uintptr_t target);

/* Between a register and %gs:offset. */
void x86_emit_save(struct x86_code *code, int reg, size_t offset);
void x86_emit_restore(struct x86_code *code, int reg, size_t offset);

/* lea or mov of an operand into %rax; `rip` is where the operand's own address is, when it is on %rip. */
void x86_emit_address(struct x86_code *code, const struct x86_operand *operand, uintptr_t rip_target);
void x86_emit_load(struct x86_code *code, const struct x86_operand *operand, uintptr_t rip_target);

/* Adds one to the 64-bit word at %gs:offset. */
void x86_emit_count(struct x86_code *code, size_t offset);

/* The address in the operand and `site` become a record; when that was the last there is room for, `full` is called
 * (x86_emit_calls). */
void x86_emit_record(struct x86_code *code, const struct x86_operand *operand, uintptr_t rip_target, uint32_t site,
                     uintptr_t full);

/* Puts %rcx and %rax back, and jumps to what `translate` makes of %gs:target. */
void x86_emit_indirect(struct x86_code *code, uintptr_t translate);

/* What records and indirect jumps lead to: keeps all registers and flags, calls the C function whose address is at
 * %gs:function with the thread's area, and goes on at %gs:back. Returns where it begins. */
uintptr_t x86_emit_calls(struct x86_code *code, size_t function);
