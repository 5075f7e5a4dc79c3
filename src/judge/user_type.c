#include "judge/user_type.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"

#define DEPTH_MOST 4 /* a name may stand for another name */

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

/* The next word at or after `at` on the same line; its length is 0 if there is none. */
static const char *next_word(const char *at, size_t *length)
{
    at += strspn(at, " \t");
    *length = word_length(at);
    return at;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(at, word, length) == 0;
}

/* "typedef unsigned int T;" and "#define T unsigned int": the words that stand for T. */
static bool find_words(const char *text, const char *type, char *words, size_t size)
{
    for (const char *at = text; *at;) {
        size_t length = word_length(at), name;
        bool is_typedef = is_word(at, length, "typedef");
        if (is_typedef) {
            const char *from = at + length + strspn(at + length, " \t"), *end = from + strcspn(from, ";{\n"), *to = end;
            while (to > from && isspace((unsigned char)to[-1]))
                to--;
            const char *begin = to;
            while (begin > from && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
                begin--;
            if (*end == ';' && is_word(begin, (size_t)(to - begin), type)) {
                snprintf(words, size, "%.*s", (int)(begin - from), from);
                return true;
            }
        } else if (is_word(at, length, "define")) {
            const char *defined = next_word(at + length, &name);
            if (is_word(defined, name, type)) {
                const char *from = defined + name + strspn(defined + name, " \t");
                snprintf(words, size, "%.*s", (int)strcspn(from, "\r\n;"), from);
                return true;
            }
        }
        at += length ? length : 1;
    }
    return false;
}

static const char *unsigned_of(const char *type)
{
    static const char *const names[][2] = {{"long", "ulong"}, {"short", "ushort"}, {"char", "uchar"}};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(type, names[i][0]) == 0)
            return names[i][1];
    return "uint";
}

void user_type_resolve(const char *text, char *type, size_t size)
{
    char words[128];
    for (int depth = 0; depth < DEPTH_MOST && find_words(text, type, words, sizeof words); depth++) {
        bool is_unsigned = false, is_complex = false;
        char last[40] = "";
        for (const char *at = words; *at;) {
            size_t length = word_length(at);
            const bool is_pair = is_word(at, length, "complex") || is_word(at, length, "_Complex");
            is_complex = is_complex || is_pair;
            if (length && length < sizeof last && !is_pair) {
                is_unsigned = is_unsigned || is_word(at, length, "unsigned");
                snprintf(last, sizeof last, "%.*s", (int)length, at);
            }
            at += length ? length : 1;
        }
        snprintf(type, size, "%s%s", is_complex ? "complex " : "", is_unsigned ? unsigned_of(last) : last);
    }
}
