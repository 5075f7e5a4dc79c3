#include "judge/user_cxx.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "judge/user_code.h"

/* A header of C++: a name without a dot, "#include <vector>". `at` is behind the #. Its length with brackets, or 0. */
static size_t header_of_cxx(const char *at, const char **from)
{
    at += strspn(at, " \t");
    if (!user_code_is(at, user_code_word(at), "include"))
        return 0;
    at += strlen("include");
    at += strspn(at, " \t");
    size_t length = strcspn(at, ">.\n");
    *from = at;
    return *at == '<' && at[length] == '>' ? length + 1 : 0;
}

static bool is_one_of(const char *word, size_t length, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (user_code_is(word, length, words[i]))
            return true;
    return false;
}

/* "long &rows" as a parameter: a reference. */
static bool is_reference(const char *code, size_t at, size_t word, size_t next)
{
    static const char *const types[] = {"int", "long", "float", "double"};
    size_t name = user_code_word(code + next + (code[next] == '&'));
    return code[next] == '&' && name && strchr(",)", code[next + 1 + name]) &&
           is_one_of(code + at, word, types, COUNT_OF(types));
}

/* A word that C has no use for where it stands. C may call a variable "new". */
static bool is_cxx(const char *code, size_t at, size_t word)
{
    static const char *const words[] = {"template", "namespace", "class",   "typename",         "using",      "nullptr",
                                        "new",      "operator",  "virtual", "reinterpret_cast", "static_cast"};
    size_t next = user_code_skip_blanks(code, at + word);
    bool is_name = code[next] && strchr(",;=)[.-+", code[next]);
    return (!is_name && is_one_of(code + at, word, words, COUNT_OF(words))) ||
           (code[next] == ':' && code[next + 1] == ':') || is_reference(code, at, word, next);
}

size_t user_cxx_line(const char *text, char word[40])
{
    char *code = user_code_blank(text, true);
    size_t line = 0, length = 0;
    const char *from = NULL;
    for (size_t at = 0; code && code[at] && !line;) {
        size_t own = user_code_word(code + at);
        if (code[at] == '#')
            length = header_of_cxx(code + at + 1, &from);
        else if (own && is_cxx(code, at, own))
            from = code + at, length = own;
        if (length)
            line = user_code_line(code, at);
        at += own ? own : 1;
    }
    if (line)
        snprintf(word, 40, "%.*s", length < 40 ? (int)length : 39, from);
    free(code);
    return line;
}
