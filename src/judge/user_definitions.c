#include "judge/user_definitions.h"

#include <string.h>

#include "judge/user_code.h"

/* The value's end: a comma or a semicolon outside of parentheses. */
static size_t value_length(const char *text)
{
    size_t at = 0;
    while (text[at] && !strchr(",;)}", text[at]))
        at = strchr("([{", text[at]) ? user_code_skip_parentheses(text, at) : at + 1;
    return at;
}

/* "#define NAME value", or with parameters "#define NAME(x) value": what stands behind the name. */
static const char *find_macro(const char *lines, const char *name, size_t length)
{
    for (const char *at = lines; (at = strstr(at, "define")); at++) {
        const char *defined = at + 6 + strspn(at + 6, " \t");
        if (user_code_word(defined) == length && strncmp(defined, name, length) == 0)
            return defined + length;
    }
    return NULL;
}

static size_t line_length(const char *text)
{
    size_t at = 0;
    while (text[at] && (text[at] != '\n' || (at && text[at - 1] == '\\')))
        at++;
    return at;
}

/* Whether the name at `at` is declared there as a dim3: "dim3 grid(…)", "dim3 block(…), grid(…)". */
static bool is_shape(const char *code, size_t at)
{
    size_t from = at;
    while (from > 0 && code[from - 1] != ';' && code[from - 1] != '{' && code[from - 1] != '}')
        from--;
    for (; from < at; from++)
        if (strncmp(code + from, "dim3", 4) == 0 && !user_code_is_word(code[from + 4]))
            return true;
    return false;
}

const char *user_initial_value(const struct user_meanings *names, const char *name, size_t name_length, size_t *length)
{
    const char *code = names->code, *found = NULL, *macro = find_macro(names->lines, name, name_length);
    if (macro && *macro != '(') {
        *length = line_length(macro);
        return macro;
    }
    for (size_t at = 0; code[at];) {
        size_t word = user_code_word(code + at), next = user_code_skip_blanks(code, at + word);
        bool is_name = word == name_length && word && strncmp(code + at, name, word) == 0;
        bool is_set = code[next] == '=' && code[next + 1] != '=';
        bool is_made = (code[next] == '(' || code[next] == '{') && is_name && is_shape(code, at);
        if (is_name && (is_set || is_made) && (at < names->before || !found)) {
            found = code + next + 1;
            *length = is_made ? user_code_skip_parentheses(code, next) - next - 2 : value_length(found);
        }
        at += word ? word : 1;
    }
    return found;
}

const char *user_one_expression(const struct user_meanings *names, const char *name, size_t length,
                                const char **parameters, size_t *width, size_t *body_length)
{
    const char *macro = find_macro(names->lines, name, length), *code = names->code;
    if (macro && *macro == '(') {
        *parameters = macro + 1;
        *width = user_code_skip_parentheses(macro, 0) - 2;
        const char *body = macro + *width + 2;
        *body_length = line_length(body);
        return body;
    }
    for (size_t at = 0; code[at];) {
        size_t word = user_code_word(code + at), open = user_code_skip_blanks(code, at + word);
        bool is_name = word == length && word && strncmp(code + at, name, word) == 0 && code[open] == '(';
        at += word ? word : 1;
        if (!is_name)
            continue;
        size_t close = user_code_skip_parentheses(code, open), brace = user_code_skip_blanks(code, close);
        if (code[brace] != '{')
            continue;
        size_t body = user_code_skip_blanks(code, brace + 1);
        if (strncmp(code + body, "return", 6) != 0)
            return NULL;
        *parameters = code + open + 1;
        *width = close - open - 2;
        *body_length = strcspn(code + body + 6, ";");
        return code + body + 6;
    }
    return NULL;
}
