#include "judge/user_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "judge/user_adapter.h"
#include "judge/user_code.h"
#include "judge/user_signature.h"

/* Whether the words of a definition before its name say that no other file sees it. */
static bool is_hidden(const char *code, size_t from, size_t to)
{
    for (size_t at = from; at < to;) {
        size_t word = user_code_word(code + at);
        if (user_code_is(code + at, word, "static") || user_code_is(code + at, word, "inline"))
            return true;
        at += word ? word : 1;
    }
    return false;
}

/* The next definition of a function that other files see, from `at` on, which lies outside of all. 0: there is none. */
static size_t next_definition(const char *code, size_t at, char name[64])
{
    size_t begin = at, word = 0, length = 0;
    while (code[at]) {
        if (code[at] == '(') {
            size_t behind = user_code_skip_blanks(code, user_code_skip_parentheses(code, at));
            bool is_seen = code[behind] == '{' && length && length < 64 && !is_hidden(code, begin, word);
            at = behind;
            if (is_seen) {
                memcpy(name, code + word, length);
                name[length] = '\0';
                return user_code_skip_parentheses(code, behind);
            }
        } else if (code[at] == '{' || code[at] == '[') {
            at = user_code_skip_parentheses(code, at);
            begin = code[at - 1] == '}' ? at : begin;
        } else if ((length = user_code_word(code + at)) > 0) {
            word = at;
            at = user_code_skip_blanks(code, at + length);
        } else {
            begin = code[at++] == ';' ? at : begin;
        }
    }
    return 0;
}

/* Whether the function can be called: as the prototype is, or through an adapter. */
static bool can_be_called(const char *text, const char *name, enum element_type type, const struct kernel *kernel,
                          bool is_exact, struct error *error)
{
    struct user_adapter adapter;
    type = user_signature_type(text, name, type, kernel);
    return user_adapter_make(text, name, type, NULL, kernel->plain, &adapter, error) == STATUS_OK &&
           (!is_exact || !adapter.code[0]);
}

/* One without an array has been meant for something else. */
static bool takes_array(const char *text, const char *name, const struct kernel *kernel)
{
    struct user_kernel mine, plain;
    char returned[16];
    bool takes = false, is_read = user_signature_read(text, name, kernel->plain, &mine, &plain, returned);
    for (size_t p = 0; is_read && p < mine.count; p++)
        takes = takes || mine.parameters[p].is_pointer;
    return takes && strcmp(name, "main") != 0;
}

/* The functions that can be called: their number, their names, and the first one. */
static size_t find_callable(const char *text, const char *code, enum element_type type, const struct kernel *kernel,
                            bool is_exact, char entry[64], char names[256], struct error *error)
{
    char name[64];
    size_t count = 0;
    names[0] = '\0';
    for (size_t at = 0; (at = next_definition(code, at, name)) > 0;) {
        if (strcmp(name, "main") == 0 || !can_be_called(text, name, type, kernel, is_exact, error))
            continue;
        text_append(names, 256, "%s%s", count ? ", " : "", name);
        if (count++ == 0)
            memcpy(entry, name, sizeof name);
    }
    return count;
}

enum status user_entry_choose(const char *text, enum element_type type, const struct kernel *kernel, char entry[64],
                              struct error *error)
{
    char *code = user_code_blank(text, false), name[64], names[256];
    size_t seen = 0, count = 0;
    enum status status = STATUS_OK;
    snprintf(entry, 64, "%s", kernel->name);
    for (size_t at = 0; code && (at = next_definition(code, at, name)) > 0;) {
        seen += takes_array(text, name, kernel);
        if (strcmp(name, kernel->name) == 0) {
            free(code);
            return STATUS_OK;
        }
    }
    for (int exact = 1; code && !count && exact >= 0; exact--)
        count = find_callable(text, code, type, kernel, exact, entry, names, error);
    if (count > 1)
        status = fail(error, STATUS_INVALID,
                      "it has no function '%s', and several that could be meant (%s): choose one "
                      "with --entry",
                      kernel->name, names);
    else if (!count && seen == 1)
        status = STATUS_INVALID; /* the reason why its only function cannot be called */
    if (count != 1)
        snprintf(entry, 64, "%s", kernel->name);
    free(code);
    return status;
}

bool user_entry_is_seen(const char *text, const char *entry)
{
    char *code = user_code_blank(text, false), name[64];
    bool is_seen = false;
    for (size_t at = 0; code && !is_seen && (at = next_definition(code, at, name)) > 0;)
        is_seen = strcmp(name, entry) == 0;
    free(code);
    return is_seen;
}
