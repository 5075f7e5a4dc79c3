#include "judge/user_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "judge/user_code.h"

#define GROWTH 16 /* upper bound on a word's growth: "local" to "constant_pointer" */

struct word {
    const char *spelled, *object, *pointer; /* replacements before an array or number, and before a pointer */
};

static const struct word words[] = {
    {"kernel", "__kernel", "__kernel"},
    {"global", "__global", "__global"},
    {"__local", "local_array", "local_pointer"},
    {"local", "local_array", "local_pointer"},
    {"__constant", "constant_array", "constant_pointer"},
    {"constant", "constant_array", "constant_pointer"},
    {"work_group_barrier", "barrier", "barrier"}, /* OpenCL C 2.0's name */
};

static const struct word *find_word(const char *code, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strlen(words[i].spelled) == length && strncmp(words[i].spelled, code, length) == 0)
            return &words[i];
    return NULL;
}

/* Whether the declaration or cast that follows has a pointer type. */
static bool is_pointer(const char *code)
{
    return code[strcspn(code, "*[;,)=({")] == '*';
}

/* Vectors of which every prelude has make_TYPE. */
static bool is_vector(const char *code, size_t length)
{
    static const char *const types[] = {"uchar2", "uchar4", "ushort2", "ushort4", "int2",   "int4",   "uint2",
                                        "uint4",  "long2",  "ulong2",  "float2",  "float4", "double2"};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (strlen(types[i]) == length && strncmp(types[i], code, length) == 0)
            return true;
    return false;
}

/* Commas between the brackets that `code` is just behind, not those within brackets of their own. */
static int commas(const char *code)
{
    int depth = 1, count = 0;
    for (; *code && depth; code++) {
        depth += (*code == '(' || *code == '[') - (*code == ')' || *code == ']');
        count += depth == 1 && *code == ',';
    }
    return depth ? -1 : count;
}

/* "(float4)(" of a literal of four numbers, which is make_float4(…): its length, and where its type is; 0: none. */
static size_t vector_literal(const char *code, size_t *type, size_t *type_length)
{
    if (*code != '(')
        return 0;
    *type = 1 + strspn(code + 1, " ");
    *type_length = user_code_word(code + *type);
    size_t at = *type + *type_length;
    at += strspn(code + at, " ");
    if (code[at] != ')' || !is_vector(code + *type, *type_length))
        return 0;
    at += 1 + strspn(code + at + 1, " ");
    const int numbers = code[*type + *type_length - 1] - '0';
    return code[at] == '(' && commas(code + at + 1) == numbers - 1 ? at + 1 : 0;
}

char *user_words_translate(const char *text)
{
    char *code = user_code_blank(text, false), *made = NULL;
    size_t count = 0, at = 0, to = 0;
    for (const char *p = code; p && *p; p++)
        count += *p == 'l' || *p == 'k' || *p == 'c' || *p == '('; /* upper bound on what is replaced */
    made = code ? malloc(strlen(text) + count * GROWTH + 1) : NULL;
    while (made && code[at]) {
        size_t length = user_code_word(code + at);
        const struct word *word = length ? find_word(code + at, length) : NULL;
        const char *from = text + at;
        size_t type, type_length;
        const size_t literal = length ? 0 : vector_literal(code + at, &type, &type_length);
        if (literal) {
            to += (size_t)sprintf(made + to, "make_%.*s(", (int)type_length, from + type);
            at += literal;
            continue;
        }
        at += length ? length : 1;
        if (word) {
            from = is_pointer(code + at) ? word->pointer : word->object;
            length = strlen(from);
        }
        memcpy(made + to, from, length ? length : 1);
        to += length ? length : 1;
    }
    if (made)
        made[to] = '\0';
    free(code);
    return made;
}
