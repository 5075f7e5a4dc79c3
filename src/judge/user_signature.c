#include "judge/user_signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "judge/user_code.h"
#include "judge/user_meaning.h"
#include "judge/user_type.h"

/* The parenthesis of the entry's definition: of its parameters, with a body behind them. 0: there is none. */
static size_t find_definition(const char *code, const char *entry, size_t *name)
{
    for (size_t at = 0; code[at];) {
        size_t word = user_code_word(code + at), open;
        bool is_entry = word && strlen(entry) == word && strncmp(code + at, entry, word) == 0;
        *name = at;
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
        {"float", ELEMENT_F32},         {"double", ELEMENT_F64},
        {"int", ELEMENT_I32},           {"int32_t", ELEMENT_I32},
        {"uint", ELEMENT_U32},          {"uint32_t", ELEMENT_U32},
        {"long", ELEMENT_I64},          {"int64_t", ELEMENT_I64},
        {"ulong", ELEMENT_U64},         {"size_t", ELEMENT_U64},
        {"uint64_t", ELEMENT_U64},      {"uint8_t", ELEMENT_U8},
        {"int8_t", ELEMENT_I8},         {"short", ELEMENT_I16},
        {"int16_t", ELEMENT_I16},       {"uint16_t", ELEMENT_U16},
        {"_Float16", ELEMENT_F16},      {"ushort", ELEMENT_U16},
        {"uchar", ELEMENT_U8},          {"char", ELEMENT_I8},
        {"complex float", ELEMENT_C64}, {"complex double", ELEMENT_C128},
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

/* The number's type that the words before a definition's name say: "float" of "static inline float"; "" for others. */
static void read_returned(const char *code, const char *lines, size_t name, char returned[16])
{
    size_t from = name;
    char type[64] = "";
    while (from > 0 && !strchr(";}", code[from - 1]))
        from--;
    bool is_pointer = false;
    while (from < name) {
        size_t word = user_code_word(code + from);
        is_pointer = is_pointer || code[from] == '*';
        if (word && word < sizeof type)
            snprintf(type, sizeof type, "%.*s", (int)word, code + from);
        from += word ? word : 1;
    }
    user_type_resolve(lines, type, sizeof type);
    bool is_number = strcmp(type, "float") == 0 || strcmp(type, "double") == 0;
    snprintf(returned, 16, "%s", is_number && !is_pointer ? type : "");
}

bool user_signature_read(const char *text, const char *entry, const struct plain_signature *signature,
                         struct user_kernel *mine, struct user_kernel *plain, char returned[16])
{
    char *code = user_code_blank(text, false), *lines = user_code_blank(text, true);
    size_t name = 0, open = code && lines ? find_definition(code, entry, &name) : 0;
    *mine = *plain = (struct user_kernel){0};
    bool is_read = open && user_kernel_parameters(code, open, mine) &&
                   user_kernel_parameters(signature->prototype, strcspn(signature->prototype, "("), plain);
    snprintf(mine->name, sizeof mine->name, "%s", entry);
    for (size_t i = 0; is_read && i < mine->count; i++)
        user_type_resolve(lines, mine->parameters[i].type, sizeof mine->parameters[i].type);
    if (is_read)
        read_returned(code, lines, name, returned);
    free(code);
    free(lines);
    return is_read;
}

/* The type of the function's elements, as its first array of them has it; ELEMENT_TYPE_COUNT: it is not known. */
static enum element_type own_type(const char *text, const char *entry, const struct kernel *kernel)
{
    struct user_kernel mine, plain;
    char returned[16];
    int meaning[USER_PARAMETERS_MOST];
    if (!user_signature_read(text, entry, kernel->plain, &mine, &plain, returned))
        return ELEMENT_TYPE_COUNT;
    user_meaning_match_function(&mine, kernel->plain, meaning);
    for (size_t i = 0; i < mine.count; i++) {
        if (meaning[i] < 0 || (size_t)meaning[i] >= plain.count || !mine.parameters[i].is_pointer ||
            strcmp(plain.parameters[meaning[i]].type, "ELEMENT") != 0)
            continue;
        enum element_type own = type_called(mine.parameters[i].type);
        if (own != ELEMENT_TYPE_COUNT)
            return own;
    }
    return ELEMENT_TYPE_COUNT;
}

enum element_type user_signature_type(const char *text, const char *entry, enum element_type type,
                                      const struct kernel *kernel)
{
    const enum element_type own = own_type(text, entry, kernel);
    const bool moves =
        own != ELEMENT_TYPE_COUNT && kernel->moves_bits && element_info(own)->bytes == element_info(type)->bytes;
    return has_type(kernel, own) && !moves ? own : type;
}

enum element_type user_signature_lacking(const char *text, const char *entry, const struct kernel *kernel)
{
    const enum element_type own = own_type(text, entry, kernel);
    return has_type(kernel, own) ? ELEMENT_TYPE_COUNT : own;
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

bool user_signature_fits(const struct user_kernel *mine, const struct user_kernel *plain, enum element_type type)
{
    bool is_right = mine->count == plain->count;
    for (size_t i = 0; is_right && i < mine->count; i++)
        is_right = !mine->parameters[i].is_of_rows && fits(&mine->parameters[i], &plain->parameters[i], type);
    return is_right;
}
