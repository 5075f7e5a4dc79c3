#include "explain/memory/kernel_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define PARAMETER_BYTES 1024 /* of one parameter's code; what is behind them is not read */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Skips a comment, a preprocessor line or a literal at `at`; returns `at` if there is none. */
static const char *skip_no_code(const char *text, const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at == '"') {
        for (at++; *at && *at != '"'; at++)
            at += at[0] == '\\' && at[1];
        return *at ? at + 1 : at;
    }
    bool begins_line = at == text || at[-1] == '\n';
    if (*at == '#' && begins_line)
        while (*at && !(at[0] == '\n' && at[-1] != '\\'))
            at++;
    return at;
}

const char *kernel_text_word(const char *text, const char *at, const char *word)
{
    size_t length = strlen(word);
    while (*at) {
        const char *next = skip_no_code(text, at);
        if (next != at) {
            at = next;
        } else if (is_word(*at)) {
            size_t here = 0;
            while (is_word(at[here]))
                here++;
            if (here == length && memcmp(at, word, length) == 0)
                return at;
            at += here;
        } else {
            at++;
        }
    }
    return NULL;
}

int kernel_text_find(const char *text, const char *word)
{
    const char *found = kernel_text_word(text, text, word);
    int line = found ? 1 : 0;
    for (const char *at = text; found && at < found; at++)
        line += *at == '\n';
    return line;
}

/* The last word of `length` bytes, truncated to fit. */
static void copy_last_word(const char *from, size_t length, char name[KERNEL_NAME_MAX])
{
    while (length > 0 && !is_word(from[length - 1]))
        length--;
    size_t begin = length;
    while (begin > 0 && is_word(from[begin - 1]))
        begin--;
    snprintf(name, KERNEL_NAME_MAX, "%.*s", (int)(length - begin), from + begin);
}

static bool has_const_target(const char *from, size_t length)
{
    const char *star = memchr(from, '*', length);
    char before[256];
    snprintf(before, sizeof before, "%.*s", star ? (int)(star - from) : 0, from);
    return kernel_text_word(before, before, "const") != NULL;
}

static void add_parameter(struct kernel_signature *signature, const char *from, size_t length)
{
    size_t index = signature->parameter_count;
    if (index == KERNEL_PARAMETERS_MAX)
        return;
    copy_last_word(from, length, signature->parameters[index].name);
    signature->parameters[index].is_const = has_const_target(from, length);
    if (signature->parameters[index].name[0] != '\0')
        signature->parameter_count++;
}

/* `at` is just after the opening parenthesis. */
static void read_parameters(const char *text, const char *at, struct kernel_signature *signature)
{
    char code[PARAMETER_BYTES]; /* without comments */
    size_t length = 0;
    int depth = 0;
    while (*at && !(*at == ')' && depth == 0)) {
        const char *next = skip_no_code(text, at);
        if (next != at) {
            at = next;
            if (length < sizeof code)
                code[length++] = ' ';
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        if (*at == ',' && depth == 0) {
            add_parameter(signature, code, length);
            length = 0;
        } else if (length < sizeof code) {
            code[length++] = *at;
        }
        at++;
    }
    add_parameter(signature, code, length);
}

/* From the opening parenthesis at `at` to behind the one that closes it. */
static const char *skip_parentheses(const char *text, const char *at)
{
    int depth = 0;
    while (*at) {
        const char *next = skip_no_code(text, at);
        if (next != at) {
            at = next;
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

/* Whether a function's body is at `at`, behind attributes and comments. */
static bool begins_body(const char *text, const char *at)
{
    for (;;) {
        const char *next = skip_no_code(text, at + strspn(at, " \t\r\n"));
        if (next == at && strncmp(at, "__", 2) == 0) {
            at += strspn(at, "_abcdefghijklmnopqrstuvwxyz");
            next = at + strspn(at, " \t\r\n");
            next = *next == '(' ? skip_parentheses(text, next) : next;
        }
        if (next == at)
            return *at == '{';
        at = next;
    }
}

/* What the code has said of a declaration so far. */
struct head {
    bool is_kernel, is_void;
    const char *word; /* the last one, of `length` bytes */
    size_t length;
};

static void note_word(struct head *head, const char *word, size_t length)
{
    head->is_kernel |=
        (length == 8 && memcmp(word, "__kernel", 8) == 0) || (length == 10 && memcmp(word, "__global__", 10) == 0);
    head->is_void |= length == 4 && memcmp(word, "void", 4) == 0;
    head->word = word;
    head->length = length;
}

/* Attributes, and macros that stand for them, are anywhere before the name: only a name's parameters are followed by a
 * body. */
size_t kernel_text_signatures(const char *text, struct kernel_signature signatures[KERNEL_ENTRIES_MAX])
{
    size_t count = 0;
    struct head head = {.word = NULL};
    for (const char *at = text, *next; *at && count < KERNEL_ENTRIES_MAX; at = next) {
        next = skip_no_code(text, at);
        if (next != at)
            continue;
        next = at + 1;
        if (is_word(*at)) {
            while (is_word(*next))
                next++;
            note_word(&head, at, (size_t)(next - at));
        } else if (*at == '(' && head.is_kernel) {
            next = skip_parentheses(text, at);
            if (!head.is_void || !begins_body(text, next))
                continue;
            struct kernel_signature *signature = &signatures[count++];
            *signature = (struct kernel_signature){0};
            copy_last_word(head.word, head.length, signature->name);
            read_parameters(text, at + 1, signature);
            head = (struct head){.word = NULL};
        } else if (*at == ';' || *at == '{' || *at == '}') {
            head = (struct head){.word = NULL};
        }
    }
    return count;
}
