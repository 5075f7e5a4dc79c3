#include <string.h>

#include "base/size.h"
#include "explain/compiled/x86.h"

static bool starts(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool ends(const char *name, const char *end)
{
    size_t length = strlen(name), bytes = strlen(end);
    return length >= bytes && strcmp(name + length - bytes, end) == 0;
}

/* Beginnings of names, without AVX's v; the first match counts. */
static const struct {
    const char *beginning;
    enum code_class class;
} beginnings[] = {
    {"fmadd", CODE_FMA},        {"fmsub", CODE_FMA},       {"fnmadd", CODE_FMA},        {"fnmsub", CODE_FMA},
    {"cvt", CODE_CONVERT},      {"sqrt", CODE_SPECIAL},    {"rsqrt", CODE_SPECIAL},     {"rcp", CODE_SPECIAL},
    {"div", CODE_SPECIAL},      {"idiv", CODE_SPECIAL},    {"round", CODE_FLOAT},       {"rndscale", CODE_FLOAT},
    {"jmp", CODE_BRANCH},       {"call", CODE_BRANCH},     {"ret", CODE_BRANCH},        {"j", CODE_BRANCH},
    {"leave", CODE_BRANCH},     {"xchg", CODE_ATOMIC},     {"cmpxchg", CODE_ATOMIC},    {"mfence", CODE_BARRIER},
    {"sfence", CODE_BARRIER},   {"lfence", CODE_BARRIER},  {"pause", CODE_BARRIER},     {"perm", CODE_SHUFFLE},
    {"unpck", CODE_SHUFFLE},    {"shuf", CODE_SHUFFLE},    {"punpck", CODE_SHUFFLE},    {"pshuf", CODE_SHUFFLE},
    {"insert", CODE_SHUFFLE},   {"extract", CODE_SHUFFLE}, {"palignr", CODE_SHUFFLE},   {"align", CODE_SHUFFLE},
    {"blend", CODE_SHUFFLE},    {"pblend", CODE_SHUFFLE},  {"movmsk", CODE_SHUFFLE},    {"pmovmsk", CODE_SHUFFLE},
    {"pinsr", CODE_SHUFFLE},    {"pextr", CODE_SHUFFLE},   {"pcompress", CODE_SHUFFLE}, {"compress", CODE_SHUFFLE},
    {"expand", CODE_SHUFFLE},   {"movhl", CODE_SHUFFLE},   {"movlh", CODE_SHUFFLE},     {"movsldup", CODE_SHUFFLE},
    {"movshdup", CODE_SHUFFLE}, {"pack", CODE_SHUFFLE},    {"pmovzx", CODE_CONVERT},    {"pmovsx", CODE_CONVERT},
    {"pmov", CODE_CONVERT},     {"broadcast", CODE_MOVE},  {"pbroadcast", CODE_MOVE},   {"gather", CODE_LOAD},
    {"pgather", CODE_LOAD},     {"scatter", CODE_STORE},   {"pscatter", CODE_STORE},    {"maskmov", CODE_MOVE},
    {"mov", CODE_MOVE},         {"lddqu", CODE_MOVE},      {"push", CODE_STORE},        {"pop", CODE_LOAD},
    {"cmov", CODE_MOVE},        {"set", CODE_MOVE},        {"kmov", CODE_MOVE},         {"prefetch", CODE_OTHER},
    {"zeroupper", CODE_OTHER},  {"endbr", CODE_OTHER},     {"cpuid", CODE_OTHER},       {"xgetbv", CODE_OTHER},
    {"ud2", CODE_OTHER},        {"int3", CODE_OTHER},
};

static bool is_string(const struct x86_instruction *one)
{
    return one->code.meta.category == ZYDIS_CATEGORY_STRINGOP;
}

/* "pminsd" and "pabsd" are operations on integers. */
static bool is_packed_integer(const char *name)
{
    return name[0] == 'p';
}

/* Floating-point operations. The suffix gives the number and width of operands ("addps", "ucomisd"). */
static enum code_class by_ending(const char *name, enum code_class class)
{
    bool is_single = ends(name, "ps") || ends(name, "ss"), is_double = ends(name, "pd") || ends(name, "sd");
    static const char *const logic[] = {"and", "or", "xor", "andn"};
    if ((!is_single && !is_double) || is_packed_integer(name))
        return class;
    for (size_t i = 0; i < COUNT_OF(logic); i++)
        if (strlen(logic[i]) + 2 == strlen(name) && starts(name, logic[i]))
            return CODE_INTEGER;
    if (class != CODE_OTHER && class != CODE_FMA && class != CODE_SPECIAL && class != CODE_FLOAT)
        return class;
    if (is_double)
        return CODE_FP64;
    return class == CODE_OTHER ? CODE_FLOAT : class;
}

static enum code_class class_of(const struct x86_instruction *one)
{
    if (one->code.attributes & ZYDIS_ATTRIB_HAS_LOCK)
        return CODE_ATOMIC;
    if (is_string(one))
        return CODE_STORE;
    for (size_t i = 0; i < COUNT_OF(beginnings); i++)
        if (starts(one->base_name, beginnings[i].beginning))
            return by_ending(one->base_name, beginnings[i].class);
    enum code_class after = by_ending(one->base_name, CODE_OTHER);
    return after == CODE_OTHER ? CODE_INTEGER : after;
}

bool x86_is_scalar(const struct x86_instruction *one)
{
    return !is_packed_integer(one->base_name) && !starts(one->base_name, "broadcast") && !is_string(one) &&
           (ends(one->base_name, "ss") || ends(one->base_name, "sd"));
}

static bool is_arithmetic(enum code_class class)
{
    return class == CODE_FMA || class == CODE_FLOAT || class == CODE_FP64 || class == CODE_SPECIAL ||
           class == CODE_INTEGER;
}

/* A move is a store if it writes memory, otherwise a load. What else is read is loaded, too. Words beside the code
 * (%rip) are constants. */
static void place(const struct x86_instruction *one, struct explain_instruction *instruction)
{
    struct x86_operand operand;
    if (one->code.meta.category == ZYDIS_CATEGORY_PUSH || one->code.meta.category == ZYDIS_CATEGORY_POP) {
        instruction->space = CODE_STACK;
        instruction->bits = 64;
        return;
    }
    enum x86_memory memory = x86_operand_of(one, &operand);
    if (memory == X86_NO_MEMORY || memory == X86_THREAD || operand.is_prefetch || is_string(one))
        return;
    bool is_constant = operand.base == X86_RIP, is_written = operand.is_written;
    if (instruction->class == CODE_MOVE)
        instruction->class = is_written ? CODE_STORE : is_constant ? CODE_CONSTANT : CODE_LOAD;
    bool is_move = instruction->class == CODE_LOAD || instruction->class == CODE_STORE;
    bool is_read = (is_arithmetic(instruction->class) || instruction->class == CODE_CONVERT ||
                    instruction->class == CODE_SHUFFLE) &&
                   operand.is_read && !is_constant;
    if (!is_move && !is_read)
        return;
    instruction->is_update = !is_move && is_written;
    instruction->is_float = x86_vector_bits(one) > 0;
    instruction->is_by_frame = operand.base == ZydisRegisterGetId(ZYDIS_REGISTER_RBP);
    instruction->space =
        instruction->is_by_frame || operand.base == ZydisRegisterGetId(ZYDIS_REGISTER_RSP) ? CODE_STACK : CODE_GLOBAL;
    instruction->bits = 8 * (int)operand.bytes;
}

/* "xorps %xmm2,%xmm2,%xmm2" makes zeros. */
static bool is_zero(const struct x86_instruction *one)
{
    unsigned last = one->code.operand_count_visible - 1;
    return (starts(one->base_name, "xor") || starts(one->base_name, "pxor")) && last > 0 &&
           one->operands[last].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           one->operands[last].reg.value == one->operands[last - 1].reg.value;
}

/* Of arithmetic in vector registers: a vector, or one number of it. */
static short width_of(const struct x86_instruction *one, enum code_class class)
{
    int vector = x86_vector_bits(one);
    if (!is_arithmetic(class) || vector == 0 || is_zero(one))
        return 0;
    if (x86_is_scalar(one))
        return ends(one->base_name, "sd") ? 64 : 32;
    return (short)vector;
}

bool x86_classify(const struct x86_instruction *one, struct explain_instruction *instruction, int *vector_bits)
{
    *instruction = (struct explain_instruction){.class = CODE_OTHER, .loop = -1};
    *vector_bits = 0;
    if (x86_is_nothing(one))
        return false;
    instruction->class = class_of(one);
    instruction->is_division =
        instruction->class == CODE_SPECIAL && x86_vector_bits(one) == 0 && strstr(one->base_name, "div") != NULL;
    if (!x86_is_scalar(one))
        *vector_bits = x86_vector_bits(one);
    instruction->width = width_of(one, instruction->class);
    place(one, instruction);
    return true;
}
