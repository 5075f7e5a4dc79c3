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

/* "pminsd" and "pabsd" are operations on integers. */
static bool is_packed_integer(const char *name)
{
    return name[0] == 'p';
}

/* Floating-point operations. The suffix gives the number and width of operands ("addps", "ucomisd"). */
static enum code_class by_ending(const char *name, size_t length, enum code_class class)
{
    bool is_single = ends(name, length, "ps") || ends(name, length, "ss");
    bool is_double = ends(name, length, "pd") || ends(name, length, "sd");
    static const char *const logic[] = {"and", "or", "xor", "andn"};
    if ((!is_single && !is_double) || is_packed_integer(name))
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
    return !is_packed_integer(name) && !starts(name, "broadcast") &&
           (ends(name, length, "ss") || ends(name, length, "sd"));
}

/* The width of the general register among the operands; 0: none. Registers of an address do not count. */
static int general_bits(const char *operands)
{
    int depth = 0;
    for (const char *at = operands; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at != '%' || depth > 0)
            continue;
        const char *name = at + 1;
        size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");
        bool is_numbered = name[0] == 'r' && name[1] >= '0' && name[1] <= '9';
        if (name[0] == 'k' || name[length] == ':') /* a mask; a segment */
            continue;
        if (is_numbered)
            return name[length - 1] == 'd' ? 32 : name[length - 1] == 'w' ? 16 : name[length - 1] == 'b' ? 8 : 64;
        if (name[length - 1] == 'l' || name[length - 1] == 'h')
            return 8;
        return name[0] == 'r' ? 64 : name[0] == 'e' ? 32 : 16;
    }
    return 0;
}

/* By the last letter of an operation, or of a source: "addl", "movzbl". */
static int letter_bits(char letter)
{
    return letter == 'b' ? 8 : letter == 'w' ? 16 : letter == 'l' ? 32 : 64;
}

static bool is_widening(const char *name, size_t length)
{
    return length == 6 && (starts(name, "movz") || starts(name, "movs"));
}

static int moved_bits(const char *name, size_t length, const char *operands)
{
    int vector = register_bits(operands), general = general_bits(operands);
    bool is_copied = strstr(operands, "{1to") != NULL || starts(name, "broadcast"); /* one number for all lanes */
    if (vector && !is_scalar(name, length) && !is_copied)
        return ends(name, length, "movd") ? 32 : ends(name, length, "movq") ? 64 : vector;
    if (vector && starts(name, "broadcastf")) /* "broadcastf64x2" */
        return ends(name, length, "4") && strstr(name, "64x4") ? 256 : 128;
    if (vector)
        return ends(name, length, "d") && !ends(name, length, "bd") ? 64 : 32;
    if (is_widening(name, length))
        return letter_bits(name[4]);
    if (starts(name, "set"))
        return 8;
    return general ? general : letter_bits(name[length - 1]);
}

/* Operations that do not write their last operand. */
static bool only_reads(const char *name)
{
    static const char *const beginnings_of[] = {"cmp", "test", "bt", "ucomis", "comis", "ptest", "mul", "imul"};
    for (size_t i = 0; i < COUNT_OF(beginnings_of); i++)
        if (starts(name, beginnings_of[i]))
            return true;
    return false;
}

static bool is_arithmetic(enum code_class class)
{
    return class == CODE_FMA || class == CODE_FLOAT || class == CODE_FP64 || class == CODE_SPECIAL ||
           class == CODE_INTEGER;
}

/* The last operand is written: a move is a store if memory is its last operand, otherwise a load. An operand of
 * arithmetic is loaded, too. Words beside the code (%rip) are constants. */
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
    bool is_written = !last || memory > last, is_constant = strstr(operands, "(%rip") != NULL;
    if (instruction->class == CODE_MOVE)
        instruction->class = is_written ? CODE_STORE : is_constant ? CODE_CONSTANT : CODE_LOAD;
    bool is_move = instruction->class == CODE_LOAD || instruction->class == CODE_STORE;
    if (!is_move && (!is_arithmetic(instruction->class) || is_constant))
        return;
    instruction->is_update = !is_move && is_written && !only_reads(name) && !register_bits(operands);
    instruction->is_float = register_bits(operands) > 0;
    instruction->is_by_frame = strstr(operands, "(%rbp") != NULL;
    instruction->space = is_stack ? CODE_STACK : CODE_GLOBAL;
    instruction->bits = moved_bits(name, length, operands);
}

/* "xorps %xmm2,%xmm2,%xmm2" makes zeros. */
static bool is_zero(const char *name, const char *operands)
{
    const char *last = strrchr(operands, '%');
    size_t length = last ? strcspn(last, " ,{") : 0;
    return (starts(name, "xor") || starts(name, "pxor")) && last && strncmp(operands, last, length) == 0 &&
           operands[length] == ',';
}

/* Of arithmetic in vector registers: a vector, or one number of it. */
static short width_of(const char *name, size_t length, const char *operands, enum code_class class)
{
    int vector = register_bits(operands);
    if (!is_arithmetic(class) || vector == 0 || is_zero(name, operands))
        return 0;
    if (is_scalar(name, length))
        return ends(name, length, "sd") ? 64 : 32;
    return (short)vector;
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
    if (length == 0 || starts(name, "nop") || starts(name, "xchg   %ax,%ax") || starts(name, "cs") ||
        starts(name, "(bad)"))
        return false;
    if (name[0] == 'v' && !starts(name, "verr")) {
        name++;
        length--;
    }
    instruction->class = class_of(name, length);
    if (!is_scalar(name, length))
        *vector_bits = register_bits(text);
    instruction->width = width_of(name, length, text, instruction->class);
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

/* A move between registers of 128 bits, and one made zero, may be of a single number. */
static bool is_vector(const struct explain_instruction *instruction, int vector_bits)
{
    return vector_bits > 128 || instruction->width >= 128 || instruction->bits >= 128;
}

bool x86_read(const char *text, uint64_t first, uint64_t end, struct explain_kernel *kernel)
{
    struct jumps jumps = {.count = 0};
    size_t capacity = 0;
    bool is_done = true, has_frame = false;
    kernel->is_of_cpu = true;
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
        has_frame |= starts(words, "mov    %rsp,%rbp");
        instruction.offset = (uint32_t)(at - first);
        if (vector_bits > kernel->vector_bits && is_vector(&instruction, vector_bits))
            kernel->vector_bits = vector_bits;
        is_done = add(kernel, &capacity, &instruction) && note_jump(&jumps, words, first, at);
    }
    is_done = is_done && loops_find(kernel, jumps.items, jumps.count);
    free(jumps.items);
    kernel->is_disassembled = is_done;
    if (is_done) {
        place_frame(kernel, has_frame);
        count_spills(kernel);
        explain_kernel_count(kernel);
    }
    return is_done;
}
