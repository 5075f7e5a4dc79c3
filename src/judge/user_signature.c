#include "judge/user_signature.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "judge/user_code.h"
#include "judge/user_kernel.h"
#include "judge/user_type.h"

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

/* ---- the type of the elements --------------------------------------------------------------------------------- */

static enum element_type type_called(const char *name)
{
    static const struct {
        const char *name;
        enum element_type type;
    } types[] = {
        {"float", ELEMENT_F32},    {"double", ELEMENT_F64},   {"int", ELEMENT_I32},      {"int32_t", ELEMENT_I32},
        {"uint", ELEMENT_U32},     {"uint32_t", ELEMENT_U32}, {"long", ELEMENT_I64},     {"int64_t", ELEMENT_I64},
        {"ulong", ELEMENT_U64},    {"size_t", ELEMENT_U64},   {"uint64_t", ELEMENT_U64}, {"uint8_t", ELEMENT_U8},
        {"int8_t", ELEMENT_I8},    {"short", ELEMENT_I16},    {"int16_t", ELEMENT_I16},  {"uint16_t", ELEMENT_U16},
        {"_Float16", ELEMENT_F16},
    };
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (strcmp(types[i].name, name) == 0)
            return types[i].type;
    return ELEMENT_TYPE_COUNT;
}

static bool has_type(const struct kernel *kernel, enum element_type type)
{
    for (size_t t = 0; t < kernel->type_count; t++)
        if (kernel->types[t] == type)
            return true;
    return false;
}

/* Reads the parameters of both, with the types' own names resolved. False: the definition is not there, or is not
 * understood. */
static bool read_both(const char *text, const char *entry, const struct plain_signature *signature,
                      struct user_kernel *mine, struct user_kernel *wanted)
{
    char *code = user_code_blank(text, false), *lines = user_code_blank(text, true);
    size_t open = code && lines ? find_definition(code, entry) : 0;
    *mine = *wanted = (struct user_kernel){0};
    bool is_read = open && user_kernel_parameters(code, open, mine) &&
                   user_kernel_parameters(signature->prototype, strcspn(signature->prototype, "("), wanted);
    for (size_t i = 0; is_read && i < mine->count; i++)
        user_type_resolve(lines, mine->parameters[i].type, sizeof mine->parameters[i].type);
    free(code);
    free(lines);
    return is_read;
}

enum element_type user_signature_type(const char *text, const char *entry, enum element_type type,
                                      const struct kernel *kernel)
{
    struct user_kernel mine, wanted;
    if (!read_both(text, entry, kernel->plain, &mine, &wanted) || mine.count != wanted.count)
        return type;
    for (size_t i = 0; i < mine.count; i++) {
        if (!wanted.parameters[i].is_pointer || strcmp(wanted.parameters[i].type, "ELEMENT") != 0)
            continue;
        enum element_type own = type_called(mine.parameters[i].type);
        bool moves =
            own != ELEMENT_TYPE_COUNT && kernel->moves_bits && element_info(own)->bytes == element_info(type)->bytes;
        if (has_type(kernel, own) && !moves)
            return own;
    }
    return type;
}

/* ---- the parameters ------------------------------------------------------------------------------------------- */

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

static bool fits_all(const char *text, const char *entry, enum element_type type,
                     const struct plain_signature *signature)
{
    struct user_kernel mine, wanted;
    if (!read_both(text, entry, signature, &mine, &wanted))
        return true;
    bool is_right = mine.count == wanted.count;
    for (size_t i = 0; is_right && i < mine.count; i++)
        is_right = fits(&mine.parameters[i], &wanted.parameters[i], type);
    return is_right;
}

enum status user_signature_check(const char *text, const char *path, const char *entry, enum element_type type,
                                 const struct plain_signature *signature, struct error *error)
{
    return fits_all(text, entry, type, signature)
               ? STATUS_OK
               : fail(error, STATUS_INVALID, "%s: the function '%s' has other parameters than it is called with: %s",
                      path, entry, signature->prototype);
}

/* ---- the entry ------------------------------------------------------------------------------------------------ */

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

bool user_signature_entry(const char *text, enum element_type type, const struct kernel *kernel, char entry[64])
{
    char *code = user_code_blank(text, false), name[64];
    size_t count = 0;
    if (code && !find_definition(code, kernel->name))
        for (size_t at = 0; (at = next_definition(code, at, name)) > 0;) {
            if (strcmp(name, "main") == 0 ||
                !fits_all(text, name, user_signature_type(text, name, type, kernel), kernel->plain))
                continue;
            if (count++ == 0)
                memcpy(entry, name, sizeof name);
        }
    free(code);
    return count == 1;
}
