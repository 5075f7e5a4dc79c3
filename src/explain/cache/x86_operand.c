#include "explain/cache/x86_operand.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"

static bool starts(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool ends(const char *name, size_t length, const char *end)
{
    size_t bytes = strlen(end);
    return length >= bytes && strncmp(name + length - bytes, end, bytes) == 0;
}

/* ---- addresses ---- */

int x86_register_of(const char *name, unsigned length)
{
    static const char *const names[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8",
                                        "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
            return (int)i;
    return X86_NO_REGISTER;
}

/* "%rax" before one of ",)"; advances to that character. */
static bool read_register(const char **at, int *number)
{
    if (**at != '%')
        return false;
    size_t length = strcspn(*at + 1, ",)");
    *number = x86_register_of(*at + 1, (unsigned)length);
    *at += 1 + length;
    return *number != X86_NO_REGISTER;
}

bool x86_address_of(const char *text, struct x86_operand *operand)
{
    char *end;
    operand->base = operand->index = X86_NO_REGISTER;
    operand->scale = 1;
    operand->displacement = (int32_t)strtoll(text, &end, 0);
    const char *at = end;
    if (*at++ != '(')
        return false;
    if (*at == '%' && !read_register(&at, &operand->base))
        return false;
    if (*at == ',') {
        at++;
        if (!read_register(&at, &operand->index))
            return false;
        if (*at == ',')
            operand->scale = (int)strtol(at + 1, &end, 0), at = end;
    }
    return *at == ')' && (operand->base != X86_NO_REGISTER || operand->index != X86_NO_REGISTER);
}

/* ---- widths ---- */

static unsigned vector_bytes(const char *operands)
{
    return strstr(operands, "%zmm") ? 64 : strstr(operands, "%ymm") ? 32 : strstr(operands, "%xmm") ? 16 : 0;
}

/* The width of the general register beside the memory operand: "%eax" 4, "%r8d" 4, "%al" 1. */
static unsigned register_bytes(const char *operands)
{
    const char *at = strchr(operands, '%');
    while (at && at > operands &&
           (at[-1] == '(' ||
            (at[-1] == ',' && at - 1 > operands && strchr(at, ')') && memchr(operands, '(', (size_t)(at - operands)) &&
             !memchr(operands, ')', (size_t)(at - operands)))))
        at = strchr(at + 1, '%');
    if (!at)
        return 0;
    size_t length = strcspn(at + 1, ",)");
    const char *name = at + 1, last = name[length - 1];
    if (name[0] == 'e' || (name[0] == 'r' && last == 'd' && name[1] <= '9'))
        return 4;
    if (name[0] == 'r' && !(name[1] <= '9' && (last == 'w' || last == 'b')))
        return 8;
    return last == 'l' || last == 'h' || last == 'b' ? 1 : 2;
}

static unsigned suffix_bytes(char letter)
{
    return letter == 'b' ? 1 : letter == 'w' ? 2 : letter == 'l' ? 4 : 8;
}

/* Vector instructions whose memory operand is narrower than their register. */
static unsigned special_bytes(const char *name, size_t length, unsigned vector)
{
    static const struct {
        const char *part;
        unsigned bytes, share; /* a fixed number of bytes, or the divisor of the vector's bytes */
    } rows[] = {
        {"broadcastss", 4, 0}, {"broadcastsd", 8, 0}, {"broadcastd", 4, 0},     {"broadcastq", 8, 0},
        {"broadcastb", 1, 0},  {"broadcastw", 2, 0},  {"broadcastf128", 16, 0}, {"broadcasti128", 16, 0},
        {"128", 16, 0},        {"32x4", 16, 0},       {"64x2", 16, 0},          {"64x4", 32, 0},
        {"32x8", 32, 0},       {"movlp", 8, 0},       {"movhp", 8, 0},          {"movddup", 8, 0},
        {"pinsrd", 4, 0},      {"pinsrq", 8, 0},      {"pextrd", 4, 0},         {"pextrq", 8, 0},
        {"pinsrb", 1, 0},      {"pinsrw", 2, 0},      {"pextrb", 1, 0},         {"pextrw", 2, 0},
        {"insertps", 4, 0},    {"extractps", 4, 0},   {"pmovzxbd", 0, 4},       {"pmovsxbd", 0, 4},
        {"pmovzxbw", 0, 2},    {"pmovsxbw", 0, 2},    {"pmovzxwd", 0, 2},       {"pmovsxwd", 0, 2},
        {"pmovzxdq", 0, 2},    {"pmovsxdq", 0, 2},    {"pmovzxbq", 0, 8},       {"pmovsxbq", 0, 8},
        {"pmovzxwq", 0, 4},    {"pmovsxwq", 0, 4},    {"cvtps2pd", 0, 2},       {"cvtdq2pd", 0, 2},
        {"cvtss2", 4, 0},      {"cvtsd2", 8, 0},      {"cvtph2ps", 0, 2},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (memmem(name, length, rows[i].part, strlen(rows[i].part)))
            return rows[i].bytes ? rows[i].bytes : vector / rows[i].share;
    return 0;
}

static unsigned bytes_of(const char *name, size_t length, const char *operands)
{
    unsigned vector = vector_bytes(operands), special = vector ? special_bytes(name, length, vector) : 0;
    if (strstr(operands, "{1to"))
        return ends(name, length, "pd") || ends(name, length, "q") ? 8 : 4;
    if (special)
        return special;
    if (vector && starts(name, "cvtsi2"))
        return suffix_bytes(name[length - 1]);
    if (vector && (ends(name, length, "ss") || ends(name, length, "movd")))
        return 4;
    if (vector && (ends(name, length, "sd") || ends(name, length, "movq")))
        return 8;
    if (vector)
        return vector;
    if (starts(name, "movz") || (starts(name, "movs") && length > 4))
        return suffix_bytes(name[4]);
    unsigned general = register_bytes(operands);
    return general && !starts(name, "set") ? general : starts(name, "set") ? 1 : suffix_bytes(name[length - 1]);
}

/* ---- directions ---- */

static bool is_one_of(const char *name, const char *const *beginnings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (starts(name, beginnings[i]))
            return true;
    return false;
}

/* The last operand is written. Comparisons only read it, moves only write it. */
static void set_direction(const char *name, bool is_last, bool is_alone, struct x86_operand *operand)
{
    static const char *const only_read[] = {"cmp",  "test", "ucomis", "comis", "ptest", "bt ",  "div",    "idiv",
                                            "mul ", "mull", "mulq",   "imul",  "fld",   "fild", "ldmxcsr"};
    static const char *const only_written[] = {"mov",  "set",      "pextr",    "extract",   "fst",     "fist",
                                               "pmov", "cvtps2ph", "compress", "pcompress", "maskmov", "stmxcsr"};
    bool never_written = is_one_of(name, only_read, COUNT_OF(only_read)) && !starts(name, "cmpxchg");
    bool is_move = is_one_of(name, only_written, COUNT_OF(only_written));
    operand->is_prefetch = starts(name, "prefetch");
    operand->is_written = (is_last || is_alone) && !never_written && !operand->is_prefetch;
    operand->is_read = !operand->is_prefetch && !(operand->is_written && is_move);
    operand->bypasses = operand->is_written && starts(name, "movnt");
}

/* ---- an instruction ---- */

static const char *skip_prefixes(const char *words)
{
    static const char *const prefixes[] = {"bnd ", "notrack ", "cs ", "data16 ", "lock "};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (starts(words, prefixes[i]))
            words += strlen(prefixes[i]);
    return words;
}

enum x86_memory x86_operand_of(const char *words, struct x86_operand *operand)
{
    static const char *const passed[] = {"lea", "nop", "call", "j", "push", "pop", "ret", "leave", "endbr", "xchg %ax"};
    char operands[160];
    words = skip_prefixes(words);
    size_t length = strcspn(words, " \n"), all = strcspn(words, "#\n<");
    *operand = (struct x86_operand){.base = X86_NO_REGISTER, .index = X86_NO_REGISTER, .scale = 1};
    if (length == 0 || is_one_of(words, passed, COUNT_OF(passed)))
        return X86_NO_MEMORY;
    if (starts(words, "rep") || memmem(words, all, "%fs:", 4) || memmem(words, all, "%gs:", 4))
        return memchr(words, '(', all) || memmem(words, all, "%fs:", 4) ? X86_OTHER : X86_NO_MEMORY;
    size_t from = length + strspn(words + length, " ");
    size_t count = all > from && all - from < sizeof operands ? all - from : 0;
    memcpy(operands, words + from, count);
    while (count > 0 && operands[count - 1] == ' ')
        count--;
    operands[count] = '\0';
    const char *open = strchr(operands, '('), *start = open;
    if (!open)
        return X86_NO_MEMORY;
    while (start > operands && start[-1] != ',' && start[-1] != ' ' && start[-1] != '*')
        start--;
    if (*start == '%' || !x86_address_of(start, operand))
        return X86_OTHER;
    const char *name = words[0] == 'v' ? words + 1 : words;
    const char *close = strchr(open, ')') + 1;
    close += *close == '{' ? strcspn(close, ",") : 0;
    set_direction(name, *close == '\0', *close == '\0' && start == operands, operand);
    operand->bytes = bytes_of(name, length - (size_t)(name - words), operands);
    return X86_PLAIN;
}
