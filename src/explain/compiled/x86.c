#include "explain/compiled/x86.h"

#include <string.h>

static bool starts(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* ---- decoding ---- */

static enum x86_flow flow_of(const ZydisDecodedInstruction *code)
{
    switch (code->meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        return X86_EITHER;
    case ZYDIS_CATEGORY_UNCOND_BR:
        return X86_JUMP;
    case ZYDIS_CATEGORY_CALL:
        return X86_CALL;
    case ZYDIS_CATEGORY_RET:
        return X86_RETURN;
    default:
        return X86_NEXT;
    }
}

static void find_addresses(struct x86_instruction *one)
{
    for (unsigned i = 0; i < one->code.operand_count_visible; i++) {
        const ZydisDecodedOperand *operand = &one->operands[i];
        ZyanU64 address;
        bool is_target = operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand->imm.is_relative;
        bool is_on_rip = operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.base == ZYDIS_REGISTER_RIP;
        if ((is_target || is_on_rip) &&
            ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&one->code, operand, one->address, &address)))
            *(is_target ? &one->target : &one->on_rip) = address;
    }
}

struct x86_instruction x86_decode(const void *code, size_t bytes, uint64_t address)
{
    struct x86_instruction one = {.address = address, .name = "(bad)", .base_name = "(bad)"};
    ZydisDecoder decoder;
    if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ||
        !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, bytes, &one.code, one.operands))) {
        one.code = (ZydisDecodedInstruction){.length = 1, .mnemonic = ZYDIS_MNEMONIC_INVALID};
        return one;
    }
    one.name = one.base_name = ZydisMnemonicGetString(one.code.mnemonic);
    one.base_name += one.name[0] == 'v' && !starts(one.name, "ver");
    one.flow = flow_of(&one.code);
    find_addresses(&one);
    return one;
}

/* ---- operands ---- */

int x86_register_of(ZydisRegister name)
{
    if (name == ZYDIS_REGISTER_RIP)
        return X86_RIP;
    return ZydisRegisterGetClass(name) == ZYDIS_REGCLASS_GPR64 ? ZydisRegisterGetId(name) : X86_NO_REGISTER;
}

bool x86_address_of(const ZydisDecodedOperand *memory, struct x86_operand *operand)
{
    *operand = (struct x86_operand){.base = x86_register_of(memory->mem.base),
                                    .index = x86_register_of(memory->mem.index),
                                    .scale = memory->mem.scale ? memory->mem.scale : 1,
                                    .displacement = (int32_t)memory->mem.disp.value};
    bool is_wide = (memory->mem.base == ZYDIS_REGISTER_NONE) == (operand->base == X86_NO_REGISTER) &&
                   (memory->mem.index == ZYDIS_REGISTER_NONE) == (operand->index == X86_NO_REGISTER);
    return is_wide && (operand->base != X86_NO_REGISTER || operand->index != X86_NO_REGISTER);
}

static bool is_on_stack(const ZydisDecodedOperand *operand)
{
    return operand->mem.base == ZYDIS_REGISTER_RSP || operand->mem.base == ZYDIS_REGISTER_RBP;
}

/* The operand in memory that is written down, or one elsewhere than on the stack that is not: a string operation's. */
static const ZydisDecodedOperand *memory_of(const struct x86_instruction *one)
{
    for (unsigned i = 0; i < one->code.operand_count; i++) {
        const ZydisDecodedOperand *operand = &one->operands[i];
        bool is_hidden = operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
        if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
            !(is_hidden && is_on_stack(operand)))
            return operand;
    }
    return NULL;
}

enum x86_memory x86_operand_of(const struct x86_instruction *one, struct x86_operand *operand)
{
    const ZydisDecodedOperand *memory = memory_of(one);
    *operand = (struct x86_operand){.base = X86_NO_REGISTER, .index = X86_NO_REGISTER, .scale = 1};
    if (!memory || one->flow != X86_NEXT || x86_is_nothing(one))
        return X86_NO_MEMORY;
    if (memory->mem.segment == ZYDIS_REGISTER_FS || memory->mem.segment == ZYDIS_REGISTER_GS)
        return X86_THREAD;
    if (memory->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN || memory->mem.type != ZYDIS_MEMOP_TYPE_MEM ||
        !x86_address_of(memory, operand))
        return X86_OTHER;
    operand->bytes = memory->size / 8;
    operand->is_prefetch = starts(one->name, "prefetch");
    operand->is_read = (memory->actions & ZYDIS_OPERAND_ACTION_MASK_READ) && !operand->is_prefetch;
    operand->is_written = (memory->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    operand->bypasses = operand->is_written && starts(one->base_name, "movnt");
    return X86_PLAIN;
}

int x86_vector_bits(const struct x86_instruction *one)
{
    int most = 0;
    for (unsigned i = 0; i < one->code.operand_count_visible; i++) {
        const ZydisDecodedOperand *operand = &one->operands[i];
        bool is_vector = operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
                         ZydisRegisterGetClass(operand->reg.value) >= ZYDIS_REGCLASS_XMM &&
                         ZydisRegisterGetClass(operand->reg.value) <= ZYDIS_REGCLASS_ZMM;
        int bits = is_vector ? ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, operand->reg.value) : 0;
        most = bits > most ? bits : most;
    }
    return most;
}

bool x86_has_general(const struct x86_instruction *one)
{
    for (unsigned i = 0; i < one->code.operand_count_visible; i++)
        if (one->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            ZydisRegisterGetClass(one->operands[i].reg.value) <= ZYDIS_REGCLASS_GPR64)
            return true;
    return false;
}

bool x86_is_division(const struct x86_instruction *one)
{
    return one->code.mnemonic == ZYDIS_MNEMONIC_DIV || one->code.mnemonic == ZYDIS_MNEMONIC_IDIV;
}

bool x86_is_nothing(const struct x86_instruction *one)
{
    return one->code.mnemonic == ZYDIS_MNEMONIC_INVALID || one->code.meta.category == ZYDIS_CATEGORY_NOP ||
           one->code.meta.category == ZYDIS_CATEGORY_WIDENOP;
}
