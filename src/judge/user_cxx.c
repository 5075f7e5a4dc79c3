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

/* A word that C has no use for where it stands. */
static bool is_cxx(const char *code, size_t at, size_t word)
{
    static const char *const words[] = {"template", "namespace", "class",   "typename",         "using",      "nullptr",
                                        "new",      "operator",  "virtual", "reinterpret_cast", "static_cast"};
    size_t next = user_code_skip_blanks(code, at + word);
    bool is_known = false;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        is_known = is_known || user_code_is(code + at, word, words[i]);
    bool is_name = strchr(",;=)[.-+", code[next]) && code[next]; /* C may call a variable "new" */
    return (is_known && !is_name) || (word && code[next] == ':' && code[next + 1] == ':') ||
           (word && code[next] == '&' && user_code_is_word(code[next + 1]) &&
            strchr(",)", code[next + 1 + user_code_word(code + next + 1)]) &&
            (user_code_is(code + at, word, "int") || user_code_is(code + at, word, "long") ||
             user_code_is(code + at, word, "float") || user_code_is(code + at, word, "double")));
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
