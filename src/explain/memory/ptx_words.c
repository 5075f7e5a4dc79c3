#include "explain/memory/ptx_words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS = 2, PTX_BYTES = 128, EXPRESSION_BYTES = 256 };

struct statement {
    char ptx[PTX_BYTES];
    char expressions[OPERANDS][EXPRESSION_BYTES];
    const char *end; /* behind its semicolon */
};

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* "(…)" at `at`, without the parentheses; NULL: there is none, or it is too long. */
static const char *read_expression(const char *at, char expression[EXPRESSION_BYTES])
{
    int depth = 0;
    const char *from = at + 1;
    if (*at != '(')
        return NULL;
    for (; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            break;
    }
    if (!*at || at - from >= EXPRESSION_BYTES)
        return NULL;
    snprintf(expression, EXPRESSION_BYTES, "%.*s", (int)(at - from), from);
    return at + 1;
}

/* asm volatile("ld… %0, [%1];" : "=r"(word) : "l"(address) : "memory"); false: something else. */
static bool read_statement(const char *at, struct statement *statement)
{
    size_t count = 0;
    at = skip_space(at + strlen("asm"));
    if (strncmp(at, "volatile", 8) == 0)
        at = skip_space(at + 8);
    if (*at != '(' || *(at = skip_space(at + 1)) != '"')
        return false;
    size_t length = strcspn(++at, "\"");
    if (length >= PTX_BYTES || at[length] != '"')
        return false;
    snprintf(statement->ptx, PTX_BYTES, "%.*s", (int)length, at);
    for (at = skip_space(at + length + 1); *at == ':' || *at == ','; at = skip_space(at)) {
        at = skip_space(at + 1);
        if (*at != '"')
            continue; /* no operand between two colons */
        at += strcspn(at + 1, "\"") + 2;
        if (*at != '(')
            continue; /* a clobber */
        if (count == OPERANDS || !(at = read_expression(at, statement->expressions[count++])))
            return false;
    }
    if (*at != ')' || *(at = skip_space(at + 1)) != ';')
        return false;
    statement->end = at + 1;
    return count == OPERANDS;
}

/* The word's type by the instruction's last part; NULL: no word. */
static const char *type_of(const char *ptx)
{
    static const char *const rows[][2] = {{".u32 ", "uint"},  {".b32 ", "uint"},  {".s32 ", "int"},
                                          {".f32 ", "float"}, {".u64 ", "ulong"}, {".b64 ", "ulong"},
                                          {".s64 ", "long"},  {".f64 ", "double"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strstr(ptx, rows[i][0]))
            return strstr(ptx, ".v2") || strstr(ptx, ".v4") || strstr(ptx, ".shared") ? NULL : rows[i][1];
    return NULL;
}

static bool is_one_instruction(const char *ptx)
{
    const char *semicolon = strchr(ptx, ';');
    return semicolon && *skip_space(semicolon + 1) == '\0';
}

/* Writes the assignment behind `out`, with as many line ends as the statement has; false: it is no load or store. */
static bool write_code(const char *from, const struct statement *statement, char **out)
{
    const char *type = type_of(statement->ptx), *operands = strchr(statement->ptx, ' ');
    const char(*e)[EXPRESSION_BYTES] = statement->expressions;
    if (!type || !operands || !is_one_instruction(statement->ptx))
        return false;
    operands = skip_space(operands);
    bool loads = strncmp(statement->ptx, "ld.", 3) == 0 && strncmp(operands, "%0, [%1]", 8) == 0;
    bool stores = strncmp(statement->ptx, "st.", 3) == 0 && strncmp(operands, "[%0], %1", 8) == 0;
    if (!loads && !stores)
        return false;
    *out += loads ? sprintf(*out, "%s = *(volatile %s *)(%s);", e[0], type, e[1])
                  : sprintf(*out, "*(volatile %s *)(%s) = %s;", type, e[0], e[1]);
    for (; from < statement->end; from++)
        if (*from == '\n')
            *(*out)++ = '\n';
    return true;
}

char *ptx_words_as_code(const char *text)
{
    /* An assignment is shorter than its statement, but for the type's name, twice at most. */
    char *made = malloc(2 * strlen(text) + 64), *out = made;
    while (made && *text) {
        struct statement statement;
        bool is_word = (isalnum((unsigned char)*text) || *text == '_');
        if (strncmp(text, "asm", 3) == 0 && !isalnum((unsigned char)text[3]) && text[3] != '_' &&
            read_statement(text, &statement) && write_code(text, &statement, &out)) {
            text = statement.end;
            continue;
        }
        do
            *out++ = *text++;
        while (is_word && (isalnum((unsigned char)*text) || *text == '_'));
    }
    if (made)
        *out = '\0';
    return made;
}
