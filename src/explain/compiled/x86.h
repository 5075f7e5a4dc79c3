/* x86-64 machine code, decoded by Zydis: lengths, where it leads, its operand in memory, its class. */
#pragma once

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/compiled/compiled.h"

enum x86_flow {
    X86_NEXT,
    X86_EITHER, /* a conditional branch */
    X86_JUMP,
    X86_CALL,
    X86_RETURN,
    X86_LIBRARY, /* in copied code: a call of a function that is not copied */
    X86_UNKNOWN, /* … an indirect jump or call */
};

struct x86_instruction {
    uint64_t address;
    ZydisDecodedInstruction code; /* .length: 1 for a byte that begins no instruction */
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    const char *name, *base_name; /* "vaddps", and without AVX's v */
    enum x86_flow flow;
    uint64_t target; /* of a direct branch; 0: there is none */
    uint64_t on_rip; /* the address of an operand on %rip; 0: there is none */
};

/* Decodes the instruction at the beginning of the `bytes` bytes, whose address is `address`. */
struct x86_instruction x86_decode(const void *code, size_t bytes, uint64_t address);

#define X86_NO_REGISTER (-1)
#define X86_RIP 16

/* Its one operand in memory. */
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
    X86_OTHER,     /* several addresses (gathers, string operations) or one of another width */
    X86_THREAD,    /* a thread's own segment (%fs, %gs) */
};
enum x86_memory x86_operand_of(const struct x86_instruction *instruction, struct x86_operand *operand);

/* The address of a memory operand alone, also of a branch's. False where registers of 64 bits do not give it. */
bool x86_address_of(const ZydisDecodedOperand *memory, struct x86_operand *operand);

/* The number of a 64-bit register; X86_NO_REGISTER. */
int x86_register_of(ZydisRegister name);

/* The widest vector register among its operands; 0: none. */
int x86_vector_bits(const struct x86_instruction *instruction);
/* Computes with one element of a vector register ("movss", "vaddsd"). */
bool x86_is_scalar(const struct x86_instruction *instruction);
/* Has a general register among its operands; registers of an address do not count. */
bool x86_has_general(const struct x86_instruction *instruction);
/* Without effect: padding, a mark where calls may lead. */
bool x86_is_nothing(const struct x86_instruction *instruction);

/* Of integers. */
bool x86_is_division(const struct x86_instruction *instruction);

/* Classifies an instruction. `vector_bits` receives the width of its vectors, 0 for scalars. False for one without
 * effect. */
bool x86_classify(const struct x86_instruction *one, struct explain_instruction *instruction, int *vector_bits);
