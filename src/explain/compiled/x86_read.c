#include "explain/compiled/x86_read.h"

#include <stdlib.h>

#include "base/growing.h"
#include "explain/compiled/loops.h"
#include "explain/compiled/x86.h"

static bool add(struct explain_kernel *kernel, const struct explain_instruction *instruction)
{
    if (!array_grow(&kernel->instructions, kernel->instruction_count, sizeof *kernel->instructions))
        return false;
    kernel->instructions[kernel->instruction_count++] = *instruction;
    return true;
}

/* What a loop that runs out of vector registers stores on the stack and loads from there. Stack accesses of calls and
 * structures lie outside innermost loops. */
static void count_spills(struct explain_kernel *kernel)
{
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *one = &kernel->instructions[i];
        if (one->space != CODE_STACK || !one->is_float || one->loop < 0 || !kernel->loops[one->loop].is_innermost)
            continue;
        *(one->class == CODE_STORE ? &kernel->spill_store_bytes : &kernel->spill_load_bytes) += one->bits / 8;
    }
}

/* Without "mov %rsp,%rbp" %rbp is a register as any other. */
static void place_frame(struct explain_kernel *kernel, bool has_frame)
{
    for (size_t i = 0; i < kernel->instruction_count && !has_frame; i++)
        if (kernel->instructions[i].is_by_frame && kernel->instructions[i].space == CODE_STACK)
            kernel->instructions[i].space = CODE_GLOBAL;
}

/* Backward branches, as offsets into the code. Its addresses begin with 1, as 0 is none. */
struct jumps {
    struct loop_jump *items;
    size_t count;
};

static bool note_jump(struct jumps *jumps, const struct x86_instruction *one)
{
    if ((one->flow != X86_EITHER && one->flow != X86_JUMP) || !one->target || one->target > one->address)
        return true;
    if (!array_grow(&jumps->items, jumps->count, sizeof *jumps->items))
        return false;
    jumps->items[jumps->count++] = (struct loop_jump){(uint32_t)(one->target - 1), (uint32_t)(one->address - 1)};
    return true;
}

/* A move between registers of 128 bits, and one made zero, may be of a single number. */
static bool is_vector(const struct explain_instruction *instruction, int vector_bits)
{
    return vector_bits > 128 || instruction->width >= 128 || instruction->bits >= 128;
}

static bool makes_frame(const struct x86_instruction *one)
{
    return one->code.mnemonic == ZYDIS_MNEMONIC_MOV && one->operands[0].reg.value == ZYDIS_REGISTER_RBP &&
           one->operands[1].reg.value == ZYDIS_REGISTER_RSP;
}

bool x86_read(const void *code, size_t bytes, struct explain_kernel *kernel)
{
    struct jumps jumps = {.count = 0};
    size_t length;
    bool is_done = true, has_frame = false;
    kernel->is_of_cpu = true;
    for (size_t at = 0; is_done && at < bytes; at += length) {
        int vector_bits;
        struct explain_instruction instruction;
        const struct x86_instruction one = x86_decode((const char *)code + at, bytes - at, at + 1); /* 0: no address */
        length = one.code.length;
        if (!x86_classify(&one, &instruction, &vector_bits))
            continue;
        has_frame |= makes_frame(&one);
        instruction.offset = (uint32_t)at;
        if (vector_bits > kernel->vector_bits && is_vector(&instruction, vector_bits))
            kernel->vector_bits = vector_bits;
        is_done = add(kernel, &instruction) && note_jump(&jumps, &one);
    }
    is_done = is_done && loops_find(kernel, jumps.items, jumps.count);
    free(jumps.items);
    kernel->is_disassembled = is_done;
    if (is_done) {
        place_frame(kernel, has_frame);
        count_spills(kernel);
        explain_kernel_count(kernel);
    } else {
        free(kernel->instructions);
        kernel->instructions = NULL;
        kernel->instruction_count = 0;
    }
    return is_done;
}
