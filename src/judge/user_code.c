#include "judge/user_code.h"

#include <ctype.h>
#include <string.h>

/* The last character of what is blanked from `p` on; NULL where nothing is. */
static const char *find_end(const char *text, const char *p, bool at_line, bool keeps_directives)
{
    if (p[0] == '/' && p[1] == '/') {
        while (p[1] && p[1] != '\n')
            p++;
        return p;
    }
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 1 : p + strlen(p) - 1;
    }
    if (at_line && *p == '#' && !keeps_directives) {
        while (p[1] && (p[1] != '\n' || *p == '\\' || (*p == '\r' && p[-1] == '\\')))
            p++;
        return p;
    }
    bool is_separator = *p == '\'' && p > text && isxdigit((unsigned char)p[-1]); /* 1'000'000 */
    if (*p != '"' && (*p != '\'' || is_separator))
        return NULL;
    char quote = *p;
    while (p[1] && p[1] != quote && p[1] != '\n')
        p += p[1] == '\\' && p[2] ? 2 : 1;
    return p + (p[1] == quote);
}

char *user_code_blank(const char *text, bool keeps_directives)
{
    char *code = strdup(text);
    bool at_line = true;
    for (char *p = code; p && *p; p++) {
        const char *end = find_end(code, p, at_line, keeps_directives);
        if (!end) {
            at_line = *p == '\n' || (at_line && isspace((unsigned char)*p));
            continue;
        }
        for (; p < end; p++)
            *p = *p == '\n' ? '\n' : ' ';
        *p = *p == '\n' ? '\n' : ' ';
    }
    return code;
}

bool user_code_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

size_t user_code_word(const char *code)
{
    size_t length = 0;
    while (user_code_is_word(code[length]))
        length++;
    return length;
}

bool user_code_is(const char *word, size_t length, const char *wanted)
{
    return strlen(wanted) == length && strncmp(word, wanted, length) == 0;
}

size_t user_code_skip_blanks(const char *code, size_t at)
{
    while (isspace((unsigned char)code[at]))
        at++;
    return at;
}

size_t user_code_skip_parentheses(const char *code, size_t at)
{
    int depth = 0;
    do {
        depth += (code[at] == '(' || code[at] == '[' || code[at] == '{');
        depth -= (code[at] == ')' || code[at] == ']' || code[at] == '}');
        at += code[at] != '\0';
    } while (depth > 0 && code[at]);
    return at;
}

size_t user_code_line(const char *text, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at && text[i]; i++)
        line += text[i] == '\n';
    return line;
}
