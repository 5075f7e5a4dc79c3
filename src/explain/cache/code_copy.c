#include "explain/cache/code_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/size.h"
#include "explain/cache/thread_area.h"
#include "explain/compiled/x86_lines.h"

#define CODE_BYTES ((size_t)16 << 20)
#define NEAR ((uintptr_t)64 << 20) /* step of the search for free address space */
#define TRIES 24

/* ---- reading -------------------------------------------------------------------------------------------------- */

static bool add_instruction(struct code_copy *copy, const struct copied_instruction *instruction)
{
    if (copy->instruction_count == copy->instruction_capacity) {
        size_t more = copy->instruction_capacity ? 2 * copy->instruction_capacity : 1024;
        void *grown = realloc(copy->instructions, more * sizeof *copy->instructions);
        if (!grown)
            return false;
        copy->instructions = grown;
        copy->instruction_capacity = more;
    }
    copy->instructions[copy->instruction_count++] = *instruction;
    return true;
}

/* An instruction's length is the distance to the next one. */
static void set_lengths(struct code_copy *copy, size_t first, uintptr_t end)
{
    for (size_t i = first; i < copy->instruction_count; i++) {
        uintptr_t next = i + 1 < copy->instruction_count ? copy->instructions[i + 1].address : end;
        copy->instructions[i].length = (unsigned char)(next - copy->instructions[i].address);
    }
}

static enum status take(void *context, const struct host_function *function, const char *listing, struct error *error)
{
    struct code_copy *copy = context;
    struct copied_function one = {.address = function->address, .bytes = function->bytes};
    size_t first = copy->instruction_count;
    snprintf(one.name, sizeof one.name, "%s", function->name);
    snprintf(one.file, sizeof one.file, "%s", function->file);
    snprintf(copy->path, sizeof copy->path, "%s", function->path);
    copy->base = function->base;
    for (const char *line = listing; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        uint64_t at;
        const char *words = x86_line(line, &at);
        if (!words || at < function->at)
            continue;
        if (at >= function->at + function->bytes)
            break;
        struct copied_instruction instruction = {.address = function->address + (uintptr_t)(at - function->at),
                                                 .words = strndup(words, strcspn(words, "\n")),
                                                 .shift = (int64_t)(function->address - function->at)};
        if (!instruction.words || !add_instruction(copy, &instruction)) {
            free(instruction.words);
            return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its instructions", function->name);
        }
    }
    set_lengths(copy, first, function->address + function->bytes);
    void *grown = realloc(copy->functions, (copy->function_count + 1) * sizeof *copy->functions);
    if (!grown)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its instructions", function->name);
    copy->functions = grown;
    copy->functions[copy->function_count++] = one;
    return STATUS_OK;
}

static int by_address(const void *a, const void *b)
{
    const struct copied_instruction *one = a, *other = b;
    return one->address < other->address ? -1 : one->address > other->address;
}

/* The index of the instruction at the address; instruction_count if there is none. */
static size_t find(const struct code_copy *copy, uintptr_t address)
{
    struct copied_instruction key = {.address = address};
    const struct copied_instruction *found =
        bsearch(&key, copy->instructions, copy->instruction_count, sizeof key, by_address);
    return found ? (size_t)(found - copy->instructions) : copy->instruction_count;
}

uintptr_t code_copy_translate(const struct code_copy *copy, uintptr_t address)
{
    size_t at = find(copy, address);
    return at < copy->instruction_count && copy->instructions[at].copy ? copy->instructions[at].copy : address;
}

/* ---- branches ------------------------------------------------------------------------------------------------- */

static bool starts(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static const char *without_prefix(const char *words)
{
    return starts(words, "bnd ") ? words + 4 : starts(words, "notrack ") ? words + 8 : words;
}

/* The target of "jne 0x90", as an address in the process. False for "jmp *%rax". */
static bool direct_target(const struct copied_instruction *instruction, uintptr_t *target)
{
    uint64_t value;
    if (!x86_target(instruction->words, &value))
        return false;
    *target = (uintptr_t)((int64_t)value + instruction->shift);
    return true;
}

static bool ends_block(const char *words)
{
    words = without_prefix(words);
    return words[0] == 'j' || starts(words, "ret") || starts(words, "loop");
}

static void find_blocks(struct code_copy *copy)
{
    for (size_t f = 0; f < copy->function_count; f++) {
        size_t at = find(copy, copy->functions[f].address);
        if (at < copy->instruction_count)
            copy->instructions[at].is_leader = true;
    }
    for (size_t i = 0; i < copy->instruction_count; i++) {
        uintptr_t target;
        size_t at = direct_target(&copy->instructions[i], &target) ? find(copy, target) : copy->instruction_count;
        if (at < copy->instruction_count)
            copy->instructions[at].is_leader = true;
        if (ends_block(copy->instructions[i].words) && i + 1 < copy->instruction_count)
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
    void *grown = realloc(copy->outside, (copy->outside_count + 1) * sizeof *copy->outside);
    if (!grown)
        return false;
    copy->outside = grown;
    copy->outside[copy->outside_count++] = target;
    return true;
}

/* A branch to an instruction that may be copied later: its displacement is patched at the end. */
static enum status write_branch(struct writer *writer, const struct copied_instruction *instruction, uintptr_t target,
                                struct error *error)
{
    struct code_copy *copy = writer->copy;
    const unsigned char *bytes = (const unsigned char *)instruction->address;
    while (*bytes == 0xf2 || *bytes == 0x3e || *bytes == 0x2e) /* bnd, notrack, hints */
        bytes++;
    unsigned char opcode[2] = {0x0f, 0};
    size_t count = 2;
    if (*bytes == 0xe8 || *bytes == 0xe9 || *bytes == 0xeb) {
        opcode[0] = *bytes == 0xe8 ? 0xe8 : 0xe9;
        count = 1;
    } else if ((*bytes & 0xf0) == 0x70) {
        opcode[1] = (unsigned char)(0x80 | (*bytes & 0x0f));
    } else if (bytes[0] == 0x0f && (bytes[1] & 0xf0) == 0x80) {
        opcode[1] = bytes[1];
    } else {
        return fail(error, STATUS_UNAVAILABLE, "the instruction '%s' cannot be recorded", instruction->words);
    }
    bool is_inside = find(copy, target) < copy->instruction_count;
    if (!is_inside && !note_outside(copy, target))
        return fail(error, STATUS_UNAVAILABLE, "no memory for the rung's code");
    struct fixup *grown = is_inside ? realloc(writer->fixups, (writer->fixup_count + 1) * sizeof *grown) : NULL;
    if (is_inside && !grown)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the rung's code");
    if (is_inside) {
        writer->fixups = grown;
        grown[writer->fixup_count++] = (struct fixup){copy->code.count + count, target};
    }
    x86_emit_branch(&copy->code, opcode, count, is_inside ? (uintptr_t)copy->code.bytes : target);
    return STATUS_OK;
}

/* The target in "# 0xad470" after a %rip-relative operand. */
static bool rip_target(const struct copied_instruction *instruction, uintptr_t *target)
{
    uint64_t value;
    if (!strstr(instruction->words, "(%rip)") || !x86_marked_address(instruction->words, &value))
        return false;
    *target = (uintptr_t)((int64_t)value + instruction->shift);
    return true;
}

/* Copies the bytes. A %rip-relative displacement is rebased to the copy; it is last in the instruction, or before an
 * immediate. */
static enum status write_same(struct writer *writer, const struct copied_instruction *instruction, struct error *error)
{
    struct x86_code *code = &writer->copy->code;
    unsigned char bytes[16];
    uintptr_t target;
    size_t length = instruction->length;
    memcpy(bytes, (const void *)instruction->address, length < sizeof bytes ? length : sizeof bytes);
    if (length > sizeof bytes)
        return fail(error, STATUS_UNAVAILABLE, "the instruction '%s' cannot be recorded", instruction->words);
    if (rip_target(instruction, &target)) {
        int32_t old = (int32_t)(target - instruction->address - length), found;
        int64_t moved = (int64_t)(target - ((uintptr_t)code->bytes + code->count) - length);
        static const size_t constants[] = {0, 1, 2, 4};
        size_t i = 0;
        for (; i < COUNT_OF(constants); i++) {
            if (length < 4 + constants[i])
                continue;
            memcpy(&found, bytes + length - 4 - constants[i], sizeof found);
            if (found == old)
                break;
        }
        if (i == COUNT_OF(constants) || moved != (int32_t)moved)
            return fail(error, STATUS_UNAVAILABLE, "the instruction '%s' cannot be recorded", instruction->words);
        found = (int32_t)moved;
        memcpy(bytes + length - 4 - constants[i], &found, sizeof found);
    }
    x86_emit_bytes(code, bytes, length);
    return STATUS_OK;
}

/* "jmp *%rax", "jmp *0x8(%rax)": a jump table, or a tail call. */
static enum status write_indirect(struct writer *writer, const struct copied_instruction *instruction,
                                  struct error *error)
{
    struct x86_code *code = &writer->copy->code;
    const char *star = strchr(instruction->words, '*');
    struct x86_operand operand;
    uintptr_t target = 0;
    x86_emit_save(code, 0, offsetof(struct thread_area, rax));
    if (star[1] == '%') {
        int number = x86_register_of(star + 2, (unsigned)strcspn(star + 2, " \n"));
        if (number == X86_NO_REGISTER)
            return fail(error, STATUS_UNAVAILABLE, "the instruction '%s' cannot be recorded", instruction->words);
        const unsigned char move[] = {(unsigned char)(number >= 8 ? 0x4c : 0x48), 0x89,
                                      (unsigned char)(0xc0 | (number & 7) << 3)}; /* mov %reg,%rax */
        x86_emit_bytes(code, move, sizeof move);
    } else {
        if (!x86_address_of(star + 1, &operand) || (operand.base == X86_RIP && !rip_target(instruction, &target)))
            return fail(error, STATUS_UNAVAILABLE, "the instruction '%s' cannot be recorded", instruction->words);
        x86_emit_load(code, &operand, target);
    }
    x86_emit_indirect(code, writer->translate);
    return STATUS_OK;
}

/* Whether the instruction's access is recorded: `target` is that of an operand on %rip. */
static enum x86_memory access_of(const struct copied_instruction *instruction, struct x86_operand *operand,
                                 uintptr_t *target)
{
    enum x86_memory memory = x86_operand_of(instruction->words, operand);
    bool is_on_rip = memory == X86_PLAIN && operand->base == X86_RIP;
    return is_on_rip && !rip_target(instruction, target) ? X86_NO_MEMORY : memory;
}

static enum status write_record(struct writer *writer, const struct copied_access *access, uintptr_t target,
                                struct error *error)
{
    struct code_copy *copy = writer->copy;
    if ((copy->access_count & (copy->access_count - 1)) == 0) {
        size_t room = copy->access_count ? 2 * copy->access_count : 1;
        void *grown = realloc(copy->accesses, room * sizeof *copy->accesses);
        if (!grown)
            return fail(error, STATUS_UNAVAILABLE, "no memory for the rung's code");
        copy->accesses = grown;
    }
    x86_emit_record(&copy->code, &access->operand, target, (uint32_t)copy->access_count, writer->full);
    copy->accesses[copy->access_count++] = *access;
    return STATUS_OK;
}

static enum status write_access(struct writer *writer, size_t index, struct error *error)
{
    struct copied_access access = {.instruction = index};
    uintptr_t target = 0;
    enum x86_memory memory = access_of(&writer->copy->instructions[index], &access.operand, &target);
    writer->copy->others += memory == X86_OTHER;
    return memory == X86_PLAIN ? write_record(writer, &access, target, error) : STATUS_OK;
}

/* A block without an access would leave no trace, and which way the code took would be a guess. */
static enum status write_mark(struct writer *writer, size_t leader, struct error *error)
{
    const struct code_copy *copy = writer->copy;
    struct copied_access mark = {
        .instruction = leader, .is_mark = true, .operand = {.base = X86_NO_REGISTER, .index = X86_NO_REGISTER}};
    for (size_t i = leader; i < copy->instruction_count && (i == leader || !copy->instructions[i].is_leader); i++) {
        struct x86_operand operand;
        uintptr_t target;
        if (access_of(&copy->instructions[i], &operand, &target) == X86_PLAIN)
            return STATUS_OK;
    }
    return write_record(writer, &mark, 0, error);
}

static enum status write_instruction(struct writer *writer, size_t index, struct error *error)
{
    struct code_copy *copy = writer->copy;
    struct copied_instruction *instruction = &copy->instructions[index];
    const char *words = without_prefix(instruction->words);
    uintptr_t target;
    instruction->copy = (uintptr_t)copy->code.bytes + copy->code.count;
    enum status status = STATUS_OK;
    if (instruction->is_leader) {
        x86_emit_count(&copy->code, offsetof(struct thread_area, blocks) + 8 * (size_t)instruction->block);
        status = write_mark(writer, index, error);
    }
    if (status != STATUS_OK)
        return status;
    if (direct_target(instruction, &target))
        return write_branch(writer, instruction, target, error);
    if (starts(words, "jmp"))
        return write_indirect(writer, instruction, error);
    status = write_access(writer, index, error);
    return status == STATUS_OK ? write_same(writer, instruction, error) : status;
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

void code_copy_free(struct code_copy *copy)
{
    for (size_t i = 0; i < copy->instruction_count; i++)
        free(copy->instructions[i].words);
    free(copy->instructions);
    free(copy->functions);
    free(copy->accesses);
    free(copy->outside);
    if (copy->code.bytes)
        munmap(copy->code.bytes, CODE_BYTES);
    *copy = (struct code_copy){.functions = NULL};
}
