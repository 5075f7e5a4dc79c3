#include "judge/user_signature.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "judge/user_code.h"
#include "judge/user_kernel.h"

/* The parenthesis of the entry's definition: of its parameters, with a body behind them. 0: there is none. */
static size_t find_definition(const char *code, const char *entry)
{
    for (size_t at = 0; code[at];) {
        size_t word = user_code_word(code + at), open;
        bool is_entry = word && strlen(entry) == word && strncmp(code + at, entry, word) == 0;
        at += word ? word : 1;
        if (!is_entry || code[open = user_code_skip_blanks(code, at)] != '(')
            continue;
        if (code[user_code_skip_blanks(code, user_code_skip_parentheses(code, open))] == '{')
            return open;
    }
    return 0;
}

static bool is_one_of(const char *type, const char *const *types)
{
    while (*types && strcmp(type, *types) != 0)
        types++;
    return *types != NULL;
}

/* Whether a value of the prototype's type arrives as the function means it. A type that is not known here may be
 * either.
 */
static bool fits(const struct user_parameter *mine, const struct user_parameter *wanted, enum element_type type)
{
    static const char *const floating[] = {"float", "double", NULL};
    static const char *const integers[] = {"int", "uint", "long", "ulong", "size_t", "ptrdiff_t", "int64_t", NULL};
    const char *element = type == ELEMENT_F64 ? "double" : "float";
    bool is_element = strcmp(wanted->type, "ELEMENT") == 0;
    if (mine->is_pointer != wanted->is_pointer)
        return false;
    if (mine->is_pointer) /* a result in double */
        return strcmp(wanted->type, "double") != 0 || strcmp(mine->type, "float") != 0;
    return is_element ? strcmp(mine->type, element) == 0 ||
                            (!is_one_of(mine->type, floating) && !is_one_of(mine->type, integers))
                      : !is_one_of(mine->type, floating);
}

enum status user_signature_check(const char *text, const char *path, const char *entry, enum element_type type,
                                 const struct plain_signature *signature, struct error *error)
{
    char *code = user_code_blank(text, false);
    struct user_kernel mine = {0}, wanted = {0};
    size_t open = code ? find_definition(code, entry) : 0;
    bool is_right = true;
    user_kernel_parameters(signature->prototype, strcspn(signature->prototype, "("), &wanted);
    if (open && user_kernel_parameters(code, open, &mine)) {
        is_right = mine.count == wanted.count;
        for (size_t i = 0; is_right && i < mine.count; i++)
            is_right = fits(&mine.parameters[i], &wanted.parameters[i], type);
    }
    free(code);
    return is_right
               ? STATUS_OK
               : fail(error, STATUS_INVALID, "%s: the function '%s' has other parameters than it is called with: %s",
                      path, entry, signature->prototype);
}
