#include "explain/compiled/x86_listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/compiled/loops.h"
#include "explain/compiled/x86_lines.h"

static bool starts(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool ends(const char *name, size_t length, const char *end)
{
    size_t bytes = strlen(end);
    return length >= bytes && strncmp(name + length - bytes, end, bytes) == 0;
}

/* Prefixes of opcodes, without AVX's v; the first match counts. */
static const struct {
    const char *beginning;
    enum code_class class;
} beginnings[] = {
    {"fmadd", CODE_FMA},        {"fmsub", CODE_FMA},        {"fnmadd", CODE_FMA},      {"fnmsub", CODE_FMA},
    {"cvt", CODE_CONVERT},      {"sqrt", CODE_SPECIAL},     {"rsqrt", CODE_SPECIAL},   {"rcp", CODE_SPECIAL},
    {"div", CODE_SPECIAL},      {"idiv", CODE_SPECIAL},     {"round", CODE_FLOAT},     {"rndscale", CODE_FLOAT},
    {"jmp", CODE_BRANCH},       {"call", CODE_BRANCH},      {"ret", CODE_BRANCH},      {"j", CODE_BRANCH},
    {"leave", CODE_BRANCH},     {"lock", CODE_ATOMIC},      {"xchg", CODE_ATOMIC},     {"cmpxchg", CODE_ATOMIC},
    {"mfence", CODE_BARRIER},   {"sfence", CODE_BARRIER},   {"lfence", CODE_BARRIER},  {"pause", CODE_BARRIER},
    {"perm", CODE_SHUFFLE},     {"unpck", CODE_SHUFFLE},    {"shuf", CODE_SHUFFLE},    {"punpck", CODE_SHUFFLE},
    {"pshuf", CODE_SHUFFLE},    {"insert", CODE_SHUFFLE},   {"extract", CODE_SHUFFLE}, {"palignr", CODE_SHUFFLE},
    {"align", CODE_SHUFFLE},    {"blend", CODE_SHUFFLE},    {"pblend", CODE_SHUFFLE},  {"movmsk", CODE_SHUFFLE},
    {"pmovmsk", CODE_SHUFFLE},  {"pinsr", CODE_SHUFFLE},    {"pextr", CODE_SHUFFLE},   {"pcompress", CODE_SHUFFLE},
    {"compress", CODE_SHUFFLE}, {"expand", CODE_SHUFFLE},   {"movhl", CODE_SHUFFLE},   {"movlh", CODE_SHUFFLE},
    {"movsldup", CODE_SHUFFLE}, {"movshdup", CODE_SHUFFLE}, {"pack", CODE_SHUFFLE},    {"pmovzx", CODE_CONVERT},
    {"pmovsx", CODE_CONVERT},   {"pmov", CODE_CONVERT},     {"broadcast", CODE_MOVE},  {"pbroadcast", CODE_MOVE},
    {"gather", CODE_LOAD},      {"pgather", CODE_LOAD},     {"scatter", CODE_STORE},   {"pscatter", CODE_STORE},
    {"maskmov", CODE_MOVE},     {"mov", CODE_MOVE},         {"lddqu", CODE_MOVE},      {"push", CODE_STORE},
    {"pop", CODE_LOAD},         {"cmov", CODE_MOVE},        {"set", CODE_MOVE},        {"kmov", CODE_MOVE},
    {"prefetch", CODE_OTHER},   {"zeroupper", CODE_OTHER},  {"endbr", CODE_OTHER},     {"cpuid", CODE_OTHER},
    {"xgetbv", CODE_OTHER},     {"ud2", CODE_OTHER},        {"int3", CODE_OTHER},      {"rep", CODE_STORE},
};

/* Floating-point operations. The suffix gives the number and width of operands ("addps", "ucomisd"). */
static enum code_class by_ending(const char *name, size_t length, enum code_class class)
{
    bool is_single = ends(name, length, "ps") || ends(name, length, "ss");
    bool is_double = ends(name, length, "pd") || ends(name, length, "sd");
    static const char *const logic[] = {"and", "or", "xor", "andn"};
    if (!is_single && !is_double)
        return class;
    for (size_t i = 0; i < COUNT_OF(logic); i++)
        if (strlen(logic[i]) + 2 == length && starts(name, logic[i]))
            return CODE_INTEGER;
    if (class != CODE_OTHER && class != CODE_FMA && class != CODE_SPECIAL && class != CODE_FLOAT)
        return class;
    if (is_double)
        return CODE_FP64;
    return class == CODE_OTHER ? CODE_FLOAT : class;
}

static enum code_class class_of(const char *name, size_t length)
{
    enum code_class class = CODE_OTHER;
    bool is_listed = false;
    for (size_t i = 0; i < COUNT_OF(beginnings) && !is_listed; i++)
        if (starts(name, beginnings[i].beginning)) {
            class = beginnings[i].class;
            is_listed = true;
        }
    enum code_class after = by_ending(name, length, class);
    return after == CODE_OTHER && !is_listed ? CODE_INTEGER : after;
}

static int register_bits(const char *operands)
{
    return strstr(operands, "%zmm") ? 512 : strstr(operands, "%ymm") ? 256 : strstr(operands, "%xmm") ? 128 : 0;
}

/* "movss", "vaddsd": one element of a vector register. */
static bool is_scalar(const char *name, size_t length)
{
    return ends(name, length, "ss") || ends(name, length, "sd");
}

static int moved_bits(const char *name, size_t length, const char *operands)
{
    int vector = register_bits(operands);
    if (vector && !is_scalar(name, length))
        return ends(name, length, "movd") ? 32 : ends(name, length, "movq") ? 64 : vector;
    if (ends(name, length, "ss"))
        return 32;
    if (ends(name, length, "sd"))
        return 64;
    if (strstr(operands, "%r") && !strstr(operands, "d,") && !strstr(operands, "(%r"))
        return 64;
    return ends(name, length, "b") ? 8 : ends(name, length, "w") ? 16 : ends(name, length, "l") ? 32 : 64;
}

/* The last operand is written: a move is a store if memory is its last operand, otherwise a load. */
static void place(const char *name, size_t length, const char *operands, struct explain_instruction *instruction)
{
    const char *memory = strchr(operands, '('), *last = strrchr(operands, ',');
    bool is_stack = strstr(operands, "(%rsp") || strstr(operands, "(%rbp");
    if (starts(name, "push") || starts(name, "pop")) {
        instruction->space = CODE_STACK;
        instruction->bits = 64;
        return;
    }
    if (!memory || starts(name, "lea") || starts(name, "nop"))
        return;
    /* a comma inside an address does not separate operands */
    while (last && last > memory && strchr(last, ')') && !strchr(last, '('))
        last = last > operands ? memchr(operands, ',', (size_t)(memory - operands)) : NULL;
    bool is_written = !last || memory > last;
    if (instruction->class == CODE_MOVE)
        instruction->class = is_written ? CODE_STORE : CODE_LOAD;
    if (instruction->class != CODE_LOAD && instruction->class != CODE_STORE)
        return;
    instruction->space = is_stack ? CODE_STACK : CODE_GLOBAL;
    instruction->bits = moved_bits(name, length, operands);
}

bool x86_classify(const char *words, struct explain_instruction *instruction, int *vector_bits)
{
    static const char *const prefixes[] = {"bnd ", "notrack ", "cs ", "data16 "};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (starts(words, prefixes[i]))
            words += strlen(prefixes[i]);
    size_t length = strcspn(words, " \n");
    const char *operands = words + length + strspn(words + length, " "), *name = words;
    char text[160];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(operands, "#\n"), operands);
    *instruction = (struct explain_instruction){.class = CODE_OTHER, .loop = -1};
    *vector_bits = 0;
    if (length == 0 || starts(name, "nop") || starts(name, "cs") || starts(name, "(bad)"))
        return false;
    if (name[0] == 'v' && !starts(name, "verr")) {
        name++;
        length--;
    }
    instruction->class = class_of(name, length);
    if (!is_scalar(name, length))
        *vector_bits = register_bits(text);
    place(name, length, text, instruction);
    return true;
}

/* ---- a function ---- */

static bool add(struct explain_kernel *kernel, size_t *capacity, const struct explain_instruction *instruction)
{
    if (kernel->instruction_count == *capacity) {
        size_t more = *capacity ? 2 * *capacity : 64;
        void *grown = realloc(kernel->instructions, more * sizeof *kernel->instructions);
        if (!grown)
            return false;
        kernel->instructions = grown;
        *capacity = more;
    }
    kernel->instructions[kernel->instruction_count++] = *instruction;
    return true;
}

/* A vector spilled to the stack in a loop that runs out of registers. Stack accesses of calls and structures lie
 * outside innermost loops. */
static void count_spills(struct explain_kernel *kernel)
{
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *one = &kernel->instructions[i];
        if (one->space != CODE_STACK || one->bits < 128 || one->loop < 0 || !kernel->loops[one->loop].is_innermost)
            continue;
        *(one->class == CODE_STORE ? &kernel->spill_store_bytes : &kernel->spill_load_bytes) += one->bits / 8;
    }
}

/* Backward branches, as offsets into the code. */
struct jumps {
    struct loop_jump *items;
    size_t count;
};

static bool note_jump(struct jumps *jumps, const char *words, uint64_t first, uint64_t at)
{
    uint64_t target;
    if (words[0] != 'j' || !x86_target(words, &target) || target < first || target > at)
        return true;
    void *grown = realloc(jumps->items, (jumps->count + 1) * sizeof *jumps->items);
    if (!grown)
        return false;
    jumps->items = grown;
    jumps->items[jumps->count++] = (struct loop_jump){(uint32_t)(target - first), (uint32_t)(at - first)};
    return true;
}

bool x86_read(const char *text, uint64_t first, uint64_t end, struct explain_kernel *kernel)
{
    struct jumps jumps = {.count = 0};
    size_t capacity = 0;
    bool is_done = true;
    for (const char *line = text; is_done && line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        uint64_t at;
        int vector_bits;
        struct explain_instruction instruction;
        const char *words = x86_line(line, &at);
        if (!words || at < first)
            continue;
        if (at >= end)
            break;
        if (!x86_classify(words, &instruction, &vector_bits))
            continue;
        instruction.offset = (uint32_t)(at - first);
        if (vector_bits > kernel->vector_bits)
            kernel->vector_bits = vector_bits;
        is_done = add(kernel, &capacity, &instruction) && note_jump(&jumps, words, first, at);
    }
    is_done = is_done && loops_find(kernel, jumps.items, jumps.count);
    free(jumps.items);
    kernel->is_disassembled = is_done;
    if (is_done) {
        count_spills(kernel);
        explain_kernel_count(kernel);
    }
    return is_done;
}
