#include "explain/cache/code_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/growing.h"
#include "base/size.h"
#include "explain/cache/thread_area.h"

#define CODE_BYTES ((size_t)16 << 20)
#define NEAR ((uintptr_t)64 << 20) /* step of the search for free address space */
#define TRIES 24

/* ---- reading -------------------------------------------------------------------------------------------------- */

static bool add_instruction(struct code_copy *copy, const struct copied_instruction *instruction)
{
    if (!array_grow(&copy->instructions, copy->instruction_count, sizeof *copy->instructions))
        return false;
    copy->instructions[copy->instruction_count++] = *instruction;
    return true;
}

static enum status take(void *context, const struct host_function *function, struct error *error)
{
    struct code_copy *copy = context;
    struct copied_function one = {.address = function->address, .bytes = function->bytes};
    snprintf(one.name, sizeof one.name, "%s", function->name);
    snprintf(one.file, sizeof one.file, "%s", function->file);
    snprintf(copy->path, sizeof copy->path, "%s", function->path);
    copy->base = function->base;
    for (uintptr_t at = one.address, end = one.address + one.bytes; at < end;) {
        const struct x86_instruction decoded = x86_decode((const void *)at, end - at, at);
        const struct copied_instruction instruction = {
            .address = at, .length = decoded.code.length, .flow = decoded.flow, .target = (uintptr_t)decoded.target};
        if (!add_instruction(copy, &instruction))
            return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its instructions", function->name);
        at += decoded.code.length;
    }
    if (!array_grow(&copy->functions, copy->function_count, sizeof *copy->functions))
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its instructions", function->name);
    copy->functions[copy->function_count++] = one;
    return STATUS_OK;
}

static int by_address(const void *a, const void *b)
{
    const struct copied_instruction *one = a, *other = b;
    return one->address < other->address ? -1 : one->address > other->address;
}

size_t code_copy_find(const struct code_copy *copy, uintptr_t address)
{
    struct copied_instruction key = {.address = address};
    const struct copied_instruction *found =
        bsearch(&key, copy->instructions, copy->instruction_count, sizeof key, by_address);
    return found ? (size_t)(found - copy->instructions) : copy->instruction_count;
}

struct x86_instruction code_copy_decode(const struct code_copy *copy, size_t index)
{
    const struct copied_instruction *instruction = &copy->instructions[index];
    return x86_decode((const void *)instruction->address, instruction->length, instruction->address);
}

uintptr_t code_copy_translate(const struct code_copy *copy, uintptr_t address)
{
    size_t at = code_copy_find(copy, address);
    return at < copy->instruction_count && copy->instructions[at].copy ? copy->instructions[at].copy : address;
}

/* ---- blocks ------------------------------------------------------------------------------------------------- */

static void find_blocks(struct code_copy *copy)
{
    for (size_t f = 0; f < copy->function_count; f++) {
        size_t at = code_copy_find(copy, copy->functions[f].address);
        if (at < copy->instruction_count)
            copy->instructions[at].is_leader = true;
    }
    for (size_t i = 0; i < copy->instruction_count; i++) {
        enum x86_flow flow = copy->instructions[i].flow;
        size_t at = code_copy_find(copy, copy->instructions[i].target);
        if (at < copy->instruction_count)
            copy->instructions[at].is_leader = true;
        if (flow != X86_NEXT && flow != X86_CALL && i + 1 < copy->instruction_count)
            copy->instructions[i + 1].is_leader = true;
    }
    for (size_t i = 0; i < copy->instruction_count; i++) {
        copy->block_count += copy->instructions[i].is_leader || i == 0;
        copy->instructions[i].block = (uint32_t)(copy->block_count - 1);
    }
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

struct fixup {
    size_t at; /* offset of the displacement in the code */
    uintptr_t target;
};

struct writer {
    struct code_copy *copy;
    struct fixup *fixups;
    size_t fixup_count;
    uintptr_t full, translate; /* stubs written by x86_emit_calls */
};

static bool note_outside(struct code_copy *copy, uintptr_t target)
{
    for (size_t i = 0; i < copy->outside_count; i++)
        if (copy->outside[i] == target)
            return true;
    if (!array_grow(&copy->outside, copy->outside_count, sizeof *copy->outside))
        return false;
    copy->outside[copy->outside_count++] = target;
    return true;
}

static enum status cannot(const struct x86_instruction *one, struct error *error)
{
    return fail(error, STATUS_UNAVAILABLE, "the instruction '%s' cannot be recorded", one->name);
}

/* A branch to an instruction that may be copied later: its displacement is patched at the end. */
static enum status write_branch(struct writer *writer, const struct x86_instruction *one, struct error *error)
{
    struct code_copy *copy = writer->copy;
    const unsigned char code = one->code.opcode;
    const bool is_long = one->code.opcode_map == ZYDIS_OPCODE_MAP_0F;
    unsigned char opcode[2] = {0x0f, (unsigned char)(0x80 | (code & 0x0f))};
    size_t count = 2;
    if (one->flow != X86_EITHER) {
        opcode[0] = one->flow == X86_CALL ? 0xe8 : 0xe9;
        count = 1;
    } else if (!is_long && (code & 0xf0) != 0x70) { /* loop, jrcxz */
        return cannot(one, error);
    }
    const uintptr_t target = (uintptr_t)one->target;
    bool is_inside = code_copy_find(copy, target) < copy->instruction_count;
    if (!is_inside && !note_outside(copy, target))
        return fail(error, STATUS_UNAVAILABLE, "no memory for the rung's code");
    if (is_inside && !array_grow(&writer->fixups, writer->fixup_count, sizeof *writer->fixups))
        return fail(error, STATUS_UNAVAILABLE, "no memory for the rung's code");
    if (is_inside)
        writer->fixups[writer->fixup_count++] = (struct fixup){copy->code.count + count, target};
    x86_emit_branch(&copy->code, opcode, count, is_inside ? (uintptr_t)copy->code.bytes : target);
    return STATUS_OK;
}

/* Copies the bytes. A displacement from %rip becomes the copy's. */
static enum status write_same(struct writer *writer, const struct x86_instruction *one, struct error *error)
{
    struct x86_code *code = &writer->copy->code;
    unsigned char bytes[ZYDIS_MAX_INSTRUCTION_LENGTH];
    memcpy(bytes, (const void *)(uintptr_t)one->address, one->code.length);
    if (one->on_rip) {
        const int64_t moved =
            one->code.raw.disp.value + (int64_t)(one->address - ((uintptr_t)code->bytes + code->count));
        const int32_t distance = (int32_t)moved;
        if (one->code.raw.disp.size != 32 || moved != distance)
            return cannot(one, error);
        memcpy(bytes + one->code.raw.disp.offset, &distance, sizeof distance);
    }
    x86_emit_bytes(code, bytes, one->code.length);
    return STATUS_OK;
}

/* "jmp *%rax", "jmp *0x8(%rax)": a jump table, or a tail call. */
static enum status write_indirect(struct writer *writer, const struct x86_instruction *one, struct error *error)
{
    struct x86_code *code = &writer->copy->code;
    const ZydisDecodedOperand *to = &one->operands[0];
    struct x86_operand operand;
    x86_emit_save(code, 0, offsetof(struct thread_area, rax));
    if (to->type == ZYDIS_OPERAND_TYPE_REGISTER) {
        int number = x86_register_of(to->reg.value);
        if (number == X86_NO_REGISTER)
            return cannot(one, error);
        const unsigned char move[] = {(unsigned char)(number >= 8 ? 0x4c : 0x48), 0x89,
                                      (unsigned char)(0xc0 | (number & 7) << 3)}; /* mov %reg,%rax */
        x86_emit_bytes(code, move, sizeof move);
    } else {
        if (!x86_address_of(to, &operand))
            return cannot(one, error);
        x86_emit_load(code, &operand, (uintptr_t)one->on_rip);
    }
    x86_emit_indirect(code, writer->translate);
    return STATUS_OK;
}

static enum status add_access(struct code_copy *copy, const struct copied_access *access, struct error *error)
{
    if (!array_grow(&copy->accesses, copy->access_count, sizeof *copy->accesses))
        return fail(error, STATUS_UNAVAILABLE, "no memory for the rung's code");
    copy->accesses[copy->access_count++] = *access;
    return STATUS_OK;
}

static enum status write_record(struct writer *writer, const struct copied_access *access, uintptr_t target,
                                struct error *error)
{
    x86_emit_record(&writer->copy->code, &access->operand, target, (uint32_t)writer->copy->access_count, writer->full);
    return add_access(writer->copy, access, error);
}

static enum status write_access(struct writer *writer, const struct x86_instruction *one, size_t index,
                                struct error *error)
{
    struct copied_access access = {.instruction = index};
    enum x86_memory memory = x86_operand_of(one, &access.operand);
    enum status status = STATUS_OK;
    if (memory == X86_PLAIN)
        status = write_record(writer, &access, (uintptr_t)one->on_rip, error);
    if (status == STATUS_OK && x86_is_division(one))
        status = add_access(writer->copy, &(struct copied_access){.instruction = index, .is_division = true}, error);
    return status;
}

/* A block without an access would leave no trace, and which way the code took would be a guess. */
static enum status write_mark(struct writer *writer, size_t leader, struct error *error)
{
    const struct code_copy *copy = writer->copy;
    struct copied_access mark = {
        .instruction = leader, .is_mark = true, .operand = {.base = X86_NO_REGISTER, .index = X86_NO_REGISTER}};
    for (size_t i = leader; i < copy->instruction_count && (i == leader || !copy->instructions[i].is_leader); i++) {
        struct x86_operand operand;
        const struct x86_instruction one = code_copy_decode(copy, i);
        if (x86_operand_of(&one, &operand) == X86_PLAIN)
            return STATUS_OK;
    }
    return write_record(writer, &mark, 0, error);
}

static enum status write_instruction(struct writer *writer, size_t index, struct error *error)
{
    struct code_copy *copy = writer->copy;
    struct copied_instruction *instruction = &copy->instructions[index];
    const struct x86_instruction one = code_copy_decode(copy, index);
    instruction->copy = (uintptr_t)copy->code.bytes + copy->code.count;
    enum status status = STATUS_OK;
    if (instruction->is_leader) {
        x86_emit_count(&copy->code, offsetof(struct thread_area, blocks) + 8 * (size_t)instruction->block);
        status = write_mark(writer, index, error);
    }
    if (status != STATUS_OK)
        return status;
    if (one.target)
        return write_branch(writer, &one, error);
    if (one.flow == X86_JUMP)
        return write_indirect(writer, &one, error);
    status = write_access(writer, &one, index, error);
    return status == STATUS_OK ? write_same(writer, &one, error) : status;
}

static void fix_branches(struct writer *writer)
{
    struct x86_code *code = &writer->copy->code;
    for (size_t i = 0; i < writer->fixup_count && !code->is_full; i++) {
        const struct fixup *fixup = &writer->fixups[i];
        uintptr_t from = (uintptr_t)code->bytes + fixup->at + 4;
        int32_t distance = (int32_t)(code_copy_translate(writer->copy, fixup->target) - from);
        memcpy(code->bytes + fixup->at, &distance, sizeof distance);
    }
}

static enum status write_all(struct code_copy *copy, struct error *error)
{
    struct writer writer = {.copy = copy};
    enum status status = STATUS_OK;
    writer.full = x86_emit_calls(&copy->code, offsetof(struct thread_area, enter));
    writer.translate = x86_emit_calls(&copy->code, offsetof(struct thread_area, translate));
    for (size_t i = 0; status == STATUS_OK && i < copy->instruction_count; i++)
        status = write_instruction(&writer, i, error);
    fix_branches(&writer);
    free(writer.fixups);
    if (status == STATUS_OK && (copy->code.is_full || copy->code.is_too_far || copy->block_count > AREA_BLOCKS))
        status = fail(error, STATUS_UNAVAILABLE, "the rung's code is too large to be recorded");
    return status;
}

/* Finds address space within a 31-bit displacement of the object. */
static enum status find_room(struct code_copy *copy, struct error *error)
{
    uintptr_t start = copy->base & ~(NEAR - 1);
    for (uintptr_t i = 1; i <= (uintptr_t)2 * TRIES; i++) {
        uintptr_t step = (i + 1) / 2 * NEAR, hint = i % 2 ? start - step : start + step;
        void *room = mmap((void *)hint, CODE_BYTES, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (room == MAP_FAILED)
            continue;
        copy->code = (struct x86_code){.bytes = room, .capacity = CODE_BYTES};
        if ((uintptr_t)room == hint)
            return STATUS_OK;
        munmap(room, CODE_BYTES);
        copy->code.bytes = NULL;
    }
    return fail(error, STATUS_UNAVAILABLE, "no memory for the rung's code");
}

enum status code_copy_make(const void *const *starts, size_t count, const char *folder, struct code_copy *copy,
                           struct error *error)
{
    *copy = (struct code_copy){.functions = NULL};
    enum status status = host_walk(starts, count, folder, take, copy, error);
    if (status != STATUS_OK)
        return status;
    qsort(copy->instructions, copy->instruction_count, sizeof *copy->instructions, by_address);
    find_blocks(copy);
    status = find_room(copy, error);
    if (status == STATUS_OK)
        status = write_all(copy, error);
    if (status == STATUS_OK && mprotect(copy->code.bytes, CODE_BYTES, PROT_READ | PROT_EXEC) != 0)
        status = fail(error, STATUS_UNAVAILABLE, "the system does not let a copy of the rung's code be executed");
    return status;
}

#define JUMP_BYTES 5

static bool enter_function(const struct code_copy *copy, const struct copied_function *function)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = function->address & ~(page - 1);
    size_t bytes = ((function->address + JUMP_BYTES - 1) & ~(page - 1)) - first + page;
    int32_t distance = (int32_t)(code_copy_translate(copy, function->address) - function->address - JUMP_BYTES);
    unsigned char jump[JUMP_BYTES] = {0xe9};
    memcpy(jump + 1, &distance, sizeof distance);
    if (mprotect((void *)first, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    memcpy((void *)function->address, jump, sizeof jump);
    return mprotect((void *)first, bytes, PROT_READ | PROT_EXEC) == 0;
}

bool code_copy_enter(const struct code_copy *copy)
{
    for (size_t f = 0; f < copy->function_count; f++)
        if (copy->functions[f].bytes >= JUMP_BYTES && !enter_function(copy, &copy->functions[f]))
            return false;
    return true;
}

void code_copy_free(struct code_copy *copy)
{
    free(copy->instructions);
    free(copy->functions);
    free(copy->accesses);
    free(copy->outside);
    if (copy->code.bytes)
        munmap(copy->code.bytes, CODE_BYTES);
    *copy = (struct code_copy){.functions = NULL};
}
