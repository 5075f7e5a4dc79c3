#include "explain/cache/x86_emit.h"

#include <string.h>

#include "explain/cache/thread_area.h"

enum { RAX, RCX, RDX, RBX, RSP };

#define FIELD(name) offsetof(struct thread_area, name)
#define RECORDS_END (FIELD(records) + AREA_RECORDS * sizeof(struct area_record))

/* ---- bytes ---- */

void x86_emit_bytes(struct x86_code *code, const void *bytes, size_t count)
{
    code->is_full = code->is_full || code->count + count > code->capacity;
    if (code->is_full)
        return;
    memcpy(code->bytes + code->count, bytes, count);
    code->count += count;
}

void x86_emit_word(struct x86_code *code, uint32_t word)
{
    x86_emit_bytes(code, &word, sizeof word);
}

static uintptr_t here(const struct x86_code *code)
{
    return (uintptr_t)code->bytes + code->count;
}

/* Emits a displacement relative to the end of the instruction, `after` bytes past the displacement. */
static void emit_distance(struct x86_code *code, uintptr_t target, size_t after)
{
    int64_t distance = (int64_t)(target - here(code) - 4 - after);
    code->is_too_far = code->is_too_far || distance != (int32_t)distance;
    x86_emit_word(code, (uint32_t)(int32_t)distance);
}

void x86_emit_branch(struct x86_code *code, const unsigned char *opcode, size_t bytes, uintptr_t target)
{
    x86_emit_bytes(code, opcode, bytes);
    emit_distance(code, target, 0);
}

static void emit_jump(struct x86_code *code, uintptr_t target)
{
    x86_emit_branch(code, (const unsigned char[]){0xe9}, 1, target);
}

/* ---- %gs ---- */

/* gs prefix, REX.W with the register's high bit, opcode, absolute 32-bit address. */
static void emit_gs(struct x86_code *code, unsigned char opcode, int reg, size_t offset)
{
    const unsigned char bytes[] = {0x65, (unsigned char)(reg < 8 ? 0x48 : 0x4c), opcode,
                                   (unsigned char)(0x04 | (reg & 7) << 3), 0x25};
    x86_emit_bytes(code, bytes, sizeof bytes);
    x86_emit_word(code, (uint32_t)offset);
}

void x86_emit_save(struct x86_code *code, int reg, size_t offset)
{
    emit_gs(code, 0x89, reg, offset);
}

void x86_emit_restore(struct x86_code *code, int reg, size_t offset)
{
    emit_gs(code, 0x8b, reg, offset);
}

/* jmp *%gs:offset */
static void emit_jump_through(struct x86_code *code, size_t offset)
{
    x86_emit_bytes(code, (const unsigned char[]){0x65, 0xff, 0x24, 0x25}, 4);
    x86_emit_word(code, (uint32_t)offset);
}

/* ---- operands ---- */

static unsigned char scale_bits(int scale)
{
    return (unsigned char)(scale == 8 ? 3 : scale == 4 ? 2 : scale == 2 ? 1 : 0);
}

/* Always with a 32-bit displacement, and with a SIB byte unless %rip-relative; the register is %rax. */
static void emit_operand(struct x86_code *code, unsigned char opcode, const struct x86_operand *operand,
                         uintptr_t rip_target)
{
    if (operand->base == X86_RIP) {
        x86_emit_bytes(code, (const unsigned char[]){0x48, opcode, 0x05}, 3);
        emit_distance(code, rip_target, 0);
        return;
    }
    bool has_base = operand->base != X86_NO_REGISTER, has_index = operand->index != X86_NO_REGISTER;
    unsigned char rex = 0x48, mode = has_base ? 0x84 : 0x04;
    rex |= (unsigned char)((has_base && operand->base >= 8 ? 1 : 0) | (has_index && operand->index >= 8 ? 2 : 0));
    unsigned char base = has_base ? (unsigned char)(operand->base & 7) : 5;
    unsigned char index = has_index ? (unsigned char)(operand->index & 7) : 4;
    const unsigned char bytes[] = {rex, opcode, mode,
                                   (unsigned char)(scale_bits(operand->scale) << 6 | index << 3 | base)};
    x86_emit_bytes(code, bytes, sizeof bytes);
    x86_emit_word(code, (uint32_t)operand->displacement);
}

void x86_emit_address(struct x86_code *code, const struct x86_operand *operand, uintptr_t rip_target)
{
    emit_operand(code, 0x8d, operand, rip_target);
}

void x86_emit_load(struct x86_code *code, const struct x86_operand *operand, uintptr_t rip_target)
{
    emit_operand(code, 0x8b, operand, rip_target);
}

/* ---- recording ---- */

/* lea `add`(%rcx),%rcx: an addition that preserves the flags */
static void emit_add_to_rcx(struct x86_code *code, unsigned char add)
{
    x86_emit_bytes(code, (const unsigned char[]){0x48, 0x8d, 0x49, add}, 4);
}

void x86_emit_count(struct x86_code *code, size_t offset)
{
    x86_emit_save(code, RCX, FIELD(rcx));
    x86_emit_restore(code, RCX, offset);
    emit_add_to_rcx(code, 1);
    x86_emit_save(code, RCX, offset);
    x86_emit_restore(code, RCX, FIELD(rcx));
}

/* Saves the return address, which is just after the jump, then jumps. */
static void emit_detour(struct x86_code *code, uintptr_t to)
{
    x86_emit_bytes(code, (const unsigned char[]){0x48, 0x8d, 0x0d}, 3); /* lea back(%rip),%rcx */
    x86_emit_word(code, 9 + 5);                                         /* over the save and the jump */
    x86_emit_save(code, RCX, FIELD(back));
    emit_jump(code, to);
}

void x86_emit_record(struct x86_code *code, const struct x86_operand *operand, uintptr_t rip_target, uint32_t site,
                     uintptr_t full)
{
    x86_emit_save(code, RAX, FIELD(rax));
    x86_emit_address(code, operand, rip_target);
    x86_emit_save(code, RCX, FIELD(rcx));
    x86_emit_restore(code, RCX, FIELD(position));
    x86_emit_bytes(code, (const unsigned char[]){0x65, 0x48, 0x89, 0x81}, 4); /* mov %rax,%gs:records(%rcx) */
    x86_emit_word(code, RECORDS_END);
    x86_emit_bytes(code, (const unsigned char[]){0x65, 0xc7, 0x81}, 3); /* movl $site,%gs:records+8(%rcx) */
    x86_emit_word(code, RECORDS_END + offsetof(struct area_record, site));
    x86_emit_word(code, site);
    emit_add_to_rcx(code, sizeof(struct area_record));
    x86_emit_save(code, RCX, FIELD(position));
    x86_emit_bytes(code, (const unsigned char[]){0xe3, 0x02, 0xeb, 7 + 9 + 5}, 4); /* jrcxz over the jmp over it */
    emit_detour(code, full);
    x86_emit_restore(code, RCX, FIELD(rcx));
    x86_emit_restore(code, RAX, FIELD(rax));
}

void x86_emit_indirect(struct x86_code *code, uintptr_t translate)
{
    x86_emit_save(code, RAX, FIELD(target));
    x86_emit_save(code, RCX, FIELD(rcx));
    emit_detour(code, translate);
    x86_emit_restore(code, RCX, FIELD(rcx));
    x86_emit_restore(code, RAX, FIELD(rax));
    emit_jump_through(code, FIELD(target));
}

uintptr_t x86_emit_calls(struct x86_code *code, size_t function)
{
    uintptr_t start = here(code);
    static const unsigned char keep[] = {0x9c, 0x52, 0x56, 0x57, 0x41, 0x50, 0x41,
                                         0x51,                                      /* flags, rdx, rsi, rdi, r8 … */
                                         0x41, 0x52, 0x41, 0x53, 0x55, 0x53,        /* … r11, rbp, rbx */
                                         0xfc,                                      /* cld */
                                         0xb8, 0xe7, 0x00, 0x00, 0x00, 0x31, 0xd2}; /* XSAVE mask: x87 to AVX-512 */
    static const unsigned char put_back[] = {0x5b, 0x5d, 0x41, 0x5b, 0x41, 0x5a, 0x41,
                                             0x59, 0x41, 0x58, 0x5f, 0x5e, 0x5a, 0x9d};
    x86_emit_save(code, RSP, FIELD(rsp));
    x86_emit_restore(code, RSP, FIELD(stack_end));
    x86_emit_bytes(code, keep, sizeof keep);
    x86_emit_restore(code, RCX, FIELD(state_at));
    x86_emit_bytes(code, (const unsigned char[]){0x48, 0x0f, 0xae, 0x21}, 4); /* xsave64 (%rcx) */
    x86_emit_restore(code, 7, FIELD(self));                                   /* %rdi */
    x86_emit_restore(code, RAX, function);
    x86_emit_bytes(code, (const unsigned char[]){0xff, 0xd0}, 2); /* call *%rax */
    x86_emit_bytes(code, (const unsigned char[]){0xb8, 0xe7, 0x00, 0x00, 0x00, 0x31, 0xd2}, 7);
    x86_emit_restore(code, RCX, FIELD(state_at));
    x86_emit_bytes(code, (const unsigned char[]){0x48, 0x0f, 0xae, 0x29}, 4); /* xrstor64 (%rcx) */
    x86_emit_bytes(code, put_back, sizeof put_back);
    x86_emit_restore(code, RSP, FIELD(rsp));
    emit_jump_through(code, FIELD(back));
    return start;
}
