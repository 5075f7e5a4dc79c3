#include "judge/user_template.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "judge/user_arithmetic.h"
#include "judge/user_code.h"
#include "judge/user_launch.h"

#define DEFINITIONS 1024

/* A piece of the text without blanks at its ends. */
struct piece {
    const char *text;
    size_t length;
};

static struct piece trim(const char *text, size_t length)
{
    while (length && isspace((unsigned char)*text))
        text++, length--;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return (struct piece){text, length};
}

/* The list's piece of that number; commas in parentheses and angles belong to a piece. length = 0: there is none. */
static struct piece nth(const char *list, size_t length, size_t number)
{
    size_t from = 0;
    int depth = 0;
    for (size_t at = 0; at <= length; at++) {
        if (at == length || (list[at] == ',' && depth == 0)) {
            if (number-- == 0)
                return trim(list + from, at - from);
            from = at + 1;
        } else {
            depth += strchr("(<{", list[at]) != NULL;
            depth -= strchr(")>}", list[at]) != NULL;
        }
    }
    return (struct piece){list, 0};
}

/* Whether the word is the parameter of a template somewhere, and so no type by itself. */
static bool is_parameter(const char *code, struct piece word)
{
    static const char *const keys[] = {"typename", "class"};
    for (int k = 0; k < 2; k++)
        for (const char *at = code; (at = strstr(at, keys[k])); at++) {
            const char *name = at + strlen(keys[k]) + strspn(at + strlen(keys[k]), " \t");
            if (user_code_word(name) == word.length && strncmp(name, word.text, word.length) == 0)
                return true;
        }
    return false;
}

/* "typedef float T; " or "constexpr int TILE = 32; ". False where the parameter has no value. */
static bool define(const struct user_meanings *names, struct piece parameter, struct piece value, char *made)
{
    const char *equals = memchr(parameter.text, '=', parameter.length);
    struct piece declared = equals ? trim(parameter.text, (size_t)(equals - parameter.text)) : parameter;
    if (!value.length && equals)
        value = trim(equals + 1, parameter.length - (size_t)(equals + 1 - parameter.text));
    size_t first = user_code_word(declared.text), name = declared.length;
    while (name && user_code_is_word(declared.text[name - 1]))
        name--;
    int length = (int)(declared.length - name);
    if (user_code_is(declared.text, first, "typename") || user_code_is(declared.text, first, "class")) {
        bool is_open = !value.length || is_parameter(names->code, value);
        return text_append(made, DEFINITIONS, "typedef %.*s %.*s; ", is_open ? 7 : (int)value.length,
                           is_open ? "ELEMENT" : value.text, length, declared.text + name);
    }
    long long number;
    if (!value.length)
        return false;
    text_append(made, DEFINITIONS, "constexpr %.*s = ", (int)declared.length, declared.text);
    return user_arithmetic_integer(names, value.text, value.length, &number)
               ? text_append(made, DEFINITIONS, "%lld; ", number)
               : text_append(made, DEFINITIONS, "%.*s; ", (int)value.length, value.text);
}

/* Line ends of the template's header follow the definitions, so that the kernel's lines keep their numbers. */
static char *replace(const char *text, const struct user_declaration *kernel, const char *made)
{
    size_t behind = kernel->from + kernel->template, size = strlen(text) + strlen(made) + 4;
    char *whole = malloc(size);
    if (!whole)
        return NULL;
    size_t at = (size_t)snprintf(whole, size, "%.*s%s", (int)kernel->from, text, made);
    for (size_t i = kernel->from; i < behind; i++)
        if (text[i] == '\n')
            whole[at++] = '\n';
    snprintf(whole + at, size - at, "%.*s }%s", (int)(kernel->to - behind), text + behind, text + kernel->to);
    return whole;
}

enum status user_template_settle(const struct user_declarations *all, const struct user_declaration *kernel,
                                 const char *path, const char *name, char **text, struct error *error)
{
    const char *open = memchr(all->code + kernel->from, '<', kernel->template);
    const size_t width = kernel->template - (size_t)(open - (all->code + kernel->from)) - 2;
    struct user_launch_text launch;
    bool is_launched = user_launch_find(all->code, name, &launch);
    const struct user_meanings names = {
        .code = all->code, .lines = all->lines, .before = is_launched ? launch.at : kernel->from};
    char made[DEFINITIONS] = "namespace uskor_kernel { ";
    for (size_t i = 0;; i++) {
        struct piece parameter = nth(open + 1, width, i), value = {NULL, 0};
        if (!parameter.length)
            break;
        if (is_launched)
            value = nth(all->code + launch.templates, launch.templates_length, i);
        if (!define(&names, parameter, value, made))
            return fail(error, STATUS_INVALID,
                        "%s:%zu: the template's parameter '%.*s' has no value: give it a default", path,
                        user_code_line(all->code, kernel->from), (int)parameter.length, parameter.text);
    }
    char *whole = replace(*text, kernel, made);
    if (!whole)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for it", path);
    free(*text);
    *text = whole;
    return STATUS_OK;
}
