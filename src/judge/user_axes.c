#include "judge/user_axes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "judge/user_code.h"

/* The first use of the first index, an item's or its group's. */
static const char *find_index(const char *code)
{
    static const char *const words[] = {"get_global_id(0)", "get_group_id(0)", "blockIdx.x"};
    const char *first = NULL;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        const char *found = strstr(code, words[i]);
        first = !first || (found && found < first) ? found : first;
    }
    return first;
}

/* The variable that is set from what stands at `at`: "row" in "int row = get_global_id(0)". */
static bool find_variable(const char *code, const char *at, char name[64])
{
    while (at > code && !strchr(";{},=", *at))
        at--;
    if (*at != '=')
        return false;
    while (at > code && (isspace((unsigned char)at[-1])))
        at--;
    const char *end = at;
    while (at > code && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
        at--;
    snprintf(name, 64, "%.*s", (int)(end - at), at);
    return end > at && end - at < 64;
}

/* The parameter that the variable is compared with: "row < M", "row >= M". -1: none. */
static int find_bound(const char *code, const char *variable, const struct user_kernel *kernel)
{
    for (size_t word; *code; code += word ? word : 1) {
        word = user_code_word(code);
        if (word != strlen(variable) || strncmp(code, variable, word) != 0)
            continue;
        const char *then = code + word + strspn(code + word, " \n\t");
        if (*then != '<' && strncmp(then, ">=", 2) != 0)
            continue;
        then += strspn(then, "<>= \n\t");
        size_t length = user_code_word(then);
        for (size_t p = 0; p < kernel->count; p++)
            if (strlen(kernel->parameters[p].name) == length && strncmp(kernel->parameters[p].name, then, length) == 0)
                return (int)p;
    }
    return -1;
}

/* The size behind the argument of that number: "m" in "a, b, int(m)". */
static void find_size(const char *arguments, int number, char name[64])
{
    for (; number > 0 && arguments; number--) {
        arguments = strchr(arguments, ',');
        arguments += arguments != NULL;
    }
    const char *end = arguments ? arguments + strcspn(arguments, ",") : "";
    const char *open = arguments ? memchr(arguments, '(', (size_t)(end - arguments)) : NULL;
    const char *from = open ? open + 1 : arguments ? arguments + strspn(arguments, " ") : end;
    snprintf(name, 64, "%.*s", (int)user_code_word(from), from);
}

static bool has_word(const char *text, size_t length, const char *wanted)
{
    for (size_t at = 0, word; at < length; at += word ? word : 1) {
        word = user_code_word(text + at);
        if (word && word == strlen(wanted) && strncmp(text + at, wanted, word) == 0)
            return true;
    }
    return false;
}

bool user_axes_exchange(const char *text, const struct user_kernel *kernel, const char *arguments, const char *groups,
                        char *exchanged, size_t size)
{
    char *code = user_code_blank(text, false), variable[64], bound[64] = "";
    const char *index = code && strlen(code) > kernel->at ? find_index(code + kernel->at) : NULL;
    int parameter = index && find_variable(code, index, variable) ? find_bound(index, variable, kernel) : -1;
    free(code);
    const char *comma = strstr(groups, "), ");
    if (parameter < 0 || !comma)
        return false;
    find_size(arguments, parameter, bound);
    const char *second = comma + 3, *end = strchr(second, ')');
    size_t length = end ? (size_t)(end - second) + 1 : 0;
    if (!length || has_word(groups, (size_t)(comma - groups), bound) || !has_word(second, length, bound))
        return false;
    snprintf(exchanged, size, "%.*s, %.*s%s", (int)length, second, (int)(comma + 1 - groups), groups, second + length);
    return true;
}
