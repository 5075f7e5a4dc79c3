#include "judge/user_words.h"

#include <stdbool.h>
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

char *user_words_translate(const char *text)
{
    char *code = user_code_blank(text, false), *made = NULL;
    size_t count = 0, at = 0, to = 0;
    for (const char *p = code; p && *p; p++)
        count += *p == 'l' || *p == 'k' || *p == 'c'; /* upper bound on the number of words to replace */
    made = code ? malloc(strlen(text) + count * GROWTH + 1) : NULL;
    while (made && code[at]) {
        size_t length = user_code_word(code + at);
        const struct word *word = length ? find_word(code + at, length) : NULL;
        const char *from = text + at;
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
