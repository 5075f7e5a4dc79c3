#include "judge/user_meaning.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"

static bool is_named(const struct plain_argument *argument, const char *name)
{
    char low[72] = " ";
    size_t i = 0;
    for (; name[i] && i < 64; i++)
        low[i + 1] = (char)tolower((unsigned char)name[i]);
    if (strlen(argument->name) == i && strncmp(argument->name, low + 1, i) == 0)
        return true;
    strcpy(low + i + 1, " ");
    return strstr(argument->synonyms, low) != NULL;
}

static bool is_integer(const char *type)
{
    return strcmp(type, "int") == 0 || strcmp(type, "uint") == 0 || strcmp(type, "long") == 0 ||
           strcmp(type, "ulong") == 0 || strcmp(type, "size_t") == 0;
}

static bool is_floating(const char *type)
{
    return strcmp(type, "float") == 0 || strcmp(type, "double") == 0;
}

/* Whether the parameter may be that argument. The array that is written is never a pointer to const; where there are
 * such pointers for all inputs, no other pointer is an input.
 */
static bool may_be(const struct user_kernel *kernel, size_t parameter, const struct plain_signature *signature,
                   size_t argument)
{
    const struct user_parameter *mine = &kernel->parameters[parameter];
    size_t inputs = 0, read_only = 0;
    if (signature->arguments[argument].is_array != mine->is_pointer)
        return false;
    if (!mine->is_pointer && is_integer(mine->type) && signature->arguments[argument].is_real)
        return false;
    if (!mine->is_pointer && is_floating(mine->type) && signature->arguments[argument].is_size)
        return false;
    for (size_t a = 0; a < signature->count; a++)
        inputs += signature->arguments[a].is_array && a != signature->output;
    for (size_t p = 0; p < kernel->count; p++)
        read_only += kernel->parameters[p].is_read_only;
    return !mine->is_pointer ||
           (argument == signature->output ? !mine->is_read_only : mine->is_read_only || read_only < inputs);
}

/* Each parameter's argument: matched by name, the others by position among those of the same sort; -1: none. */
void user_meaning_match(const struct user_kernel *kernel, const struct plain_signature *signature, int *meaning)
{
    const size_t count = kernel->count;
    bool taken[32] = {false};
    for (size_t p = 0; p < count; p++)
        meaning[p] = -1;
    for (int exact = 1; exact >= 0; exact--) /* exact names before synonyms */
        for (size_t p = 0; p < count; p++)
            for (size_t a = 0; meaning[p] < 0 && a < signature->count; a++) {
                const struct plain_argument *argument = &signature->arguments[a];
                bool fits = !taken[a] && may_be(kernel, p, signature, a);
                if (fits && (exact ? strcasecmp(argument->name, kernel->parameters[p].name) == 0
                                   : is_named(argument, kernel->parameters[p].name))) {
                    meaning[p] = (int)a;
                    taken[a] = true;
                }
            }
    for (size_t p = 0; p < count; p++)
        for (size_t a = 0; meaning[p] < 0 && a < signature->count; a++)
            if (!taken[a] && !signature->arguments[a].by_name && may_be(kernel, p, signature, a)) {
                meaning[p] = (int)a;
                taken[a] = true;
            }
}

/* Whether the name alone says it. "n" and "m", "a" and "b" do not say which of two is meant. */
static bool is_telling(const struct plain_argument *argument, const char *name)
{
    bool is_long = argument->by_name || strlen(name) > 2 || strchr("whrWHR", name[0]);
    return strcasecmp(argument->name, name) == 0 || (is_long && is_named(argument, name));
}

/* Of arrays, or of numbers: the arguments in the prototype's order. False: const forbids it. */
static bool match_order(const struct user_kernel *kernel, const struct plain_signature *signature, bool arrays,
                        int *meaning)
{
    size_t a = 0;
    for (size_t p = 0; p < kernel->count; p++) {
        if (kernel->parameters[p].is_pointer != arrays)
            continue;
        while (a < signature->count && (signature->arguments[a].is_array != arrays || signature->arguments[a].by_name))
            a++;
        if (a == signature->count || !may_be(kernel, p, signature, a))
            return false;
        meaning[p] = (int)a++;
    }
    return true;
}

void user_meaning_match_function(const struct user_kernel *kernel, const struct plain_signature *signature,
                                 int *meaning)
{
    user_meaning_match(kernel, signature, meaning);
    for (int arrays = 0; arrays < 2; arrays++) {
        int in_order[USER_PARAMETERS_MOST];
        bool is_telling_all = true;
        memcpy(in_order, meaning, sizeof in_order);
        if (!match_order(kernel, signature, arrays, in_order))
            continue;
        for (size_t p = 0; p < kernel->count; p++)
            if (in_order[p] != meaning[p])
                is_telling_all = is_telling_all && meaning[p] >= 0 &&
                                 is_telling(&signature->arguments[meaning[p]], kernel->parameters[p].name);
        if (!is_telling_all)
            memcpy(meaning, in_order, sizeof in_order);
    }
}

/* "int(n)": the expression cast to the parameter's type. False for an unknown type. */
static bool spell(const char *type, const char *expression, char *text, size_t size)
{
    static const struct {
        const char *type, *cast;
    } casts[] = {
        {"int", "int"},       {"uint", "int"},       {"int32_t", "int"},   {"uint32_t", "int"},
        {"long", "long"},     {"ulong", "long"},     {"int64_t", "long"},  {"size_t", "long"},
        {"uint64_t", "long"}, {"float", "float"},    {"double", "double"}, {"long long", "long"},
        {"ELEMENT", ""},      {"ptrdiff_t", "long"}, {"ssize_t", "long"},  {"intptr_t", "long"},
    };
    for (size_t i = 0; i < sizeof casts / sizeof casts[0]; i++)
        if (strcmp(casts[i].type, type) == 0) {
            snprintf(text, size, casts[i].cast[0] ? "%s(%s)" : "%s%s", casts[i].cast, expression);
            return true;
        }
    return false;
}

/* Types of 16 bits, by the names that they have in files, and their words in a problem. */
static const struct {
    const char *name, *type;
} halves[] = {
    {"half", "f16"}, {"__half", "f16"}, {"bfloat16", "bf16"}, {"nv_bfloat16", "bf16"}, {"__nv_bfloat16", "bf16"},
};

/* NULL: it is none of them. */
static const char *half_called(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(halves); i++)
        if (strcmp(halves[i].name, name) == 0)
            return halves[i].type;
    return NULL;
}

static const char *element_bytes_of(const char *type)
{
    static const char *const four[] = {"float", "int", "uint", "unsigned", "int32_t", "uint32_t"};
    for (size_t i = 0; i < sizeof four / sizeof four[0]; i++)
        if (strcmp(type, four[i]) == 0)
            return "4";
    if (half_called(type))
        return "2";
    return strcmp(type, "double") == 0 || strcmp(type, "long") == 0 || strcmp(type, "ulong") == 0 ? "8" : NULL;
}

/* What a kernel that computes with elements of this type asks of the problem; nothing with the problem's own types. */
static struct plain_requirement values_of(const char *type)
{
    static const struct {
        const char *types;
        struct plain_requirement required;
    } values[] = {
        {" float double ", {"element_kind == 2", N_("its elements are floating-point numbers")}},
        {" int int32_t long int64_t ", {"element_kind == 1", N_("its elements are signed integers")}},
        {" uint uint32_t ulong uint64_t ", {"element_kind == 0", N_("its elements are unsigned integers")}},
        {" complex ", {"element_kind == 3", N_("its elements are complex numbers")}},
    };
    char word[40];
    snprintf(word, sizeof word, " %s ", type);
    for (size_t i = 0; i < COUNT_OF(values); i++)
        if (strstr(values[i].types, word))
            return values[i].required;
    return (struct plain_requirement){0};
}

/* What an array whose elements have so many bytes asks of the problem. */
static struct plain_requirement bytes_of(const char *bytes)
{
    static const struct {
        const char *bytes;
        struct plain_requirement required;
    } sizes[] = {
        {"1", {"element_bytes == 1", N_("its elements are of 1 byte")}},
        {"2", {"element_bytes == 2", N_("its elements are of 2 bytes")}},
        {"4", {"element_bytes == 4", N_("its elements are of 4 bytes")}},
        {"8", {"element_bytes == 8", N_("its elements are of 8 bytes")}},
        {"16", {"element_bytes == 16", N_("its elements are of 16 bytes")}},
    };
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        if (strcmp(sizes[i].bytes, bytes) == 0)
            return sizes[i].required;
    return (struct plain_requirement){0};
}

void user_meaning_require(enum element_type type, char *requires, size_t size)
{
    static const char *const words[] = {"uint", "int", "float", "complex"}; /* by element_kind */
    char bytes[8];
    if (type == ELEMENT_TYPE_COUNT)
        return;
    snprintf(bytes, sizeof bytes, "%zu", element_info(type)->bytes);
    const struct plain_requirement required[] = {bytes_of(bytes), values_of(words[element_kind(type)])};
    for (size_t i = 0; i < COUNT_OF(required); i++)
        text_append(requires, size, "%s, %s\n", required[i].condition, required[i].reason);
}

static void add_requirement(char requires[512], struct plain_requirement required)
{
    if (required.condition)
        text_append(requires, 512, "// require: %s, %s\n", required.condition, required.reason);
}

static const char *first_size(const struct plain_signature *signature)
{
    size_t a = 0;
    while (a + 1 < signature->count && !signature->arguments[a].is_size)
        a++;
    return signature->arguments[a].expression;
}

/* "in, out, rows, cols" */
static const char *list_names(const struct plain_signature *signature, char list[160])
{
    list[0] = '\0';
    for (size_t a = 0; a < signature->count; a++)
        if (!signature->arguments[a].by_name)
            text_append(list, 160, "%s%s", a ? ", " : "", signature->arguments[a].name);
    return list;
}

enum status user_meaning_arguments(const struct user_kernel *kernel, const struct plain_signature *signature,
                                   const int *meaning, char arguments[512], char requires[512], struct error *error)
{
    size_t sizes = 0;
    bool has_bytes = false; /* all arrays have elements of one size, given by the first */
    arguments[0] = requires[0] = '\0';
    for (size_t p = 0; p < kernel->count; p++) {
        char one[160];
        if (kernel->parameters[p].is_local || strncmp(kernel->parameters[p].type, "image", 5) == 0)
            return fail(
                error, STATUS_INVALID,
                "the parameter '%s' of '%s' is an image or local memory, and a launch passes arrays and numbers "
                "alone: declare local arrays in the kernel",
                kernel->parameters[p].name, kernel->name);
        if (meaning[p] < 0)
            return fail(error, STATUS_INVALID,
                        "the parameter '%s' of '%s' is none of %s: say what each one is with --args",
                        kernel->parameters[p].name, kernel->name, list_names(signature, one));
        if (kernel->parameters[p].is_of_rows)
            return fail(error, STATUS_INVALID,
                        "the parameter '%s' of '%s' is an array of pointers to rows; arrays here are one piece: "
                        "declare '%s *%s' and count with the row's length",
                        kernel->parameters[p].name, kernel->name, kernel->parameters[p].type,
                        kernel->parameters[p].name);
        const struct plain_argument *argument = &signature->arguments[meaning[p]];
        const char *type = kernel->parameters[p].type, *bytes = element_bytes_of(type);
        bool in_float = argument->in_float && strcmp(type, "float") == 0;
        if (argument->is_array)
            snprintf(one, sizeof one, "%s", in_float ? argument->in_float : argument->expression);
        else if (!spell(type, argument->expression, one, sizeof one))
            return fail(
                error, STATUS_INVALID,
                "the type %s of the parameter '%s' is not known: say all with --args; a structure cannot be passed, "
                "its arrays and numbers can",
                type, kernel->parameters[p].name);
        text_append(arguments, 512, "%s%s", p ? ", " : "", one);
        sizes += argument->is_size;
        if (argument->is_array && !has_bytes && bytes) {
            add_requirement(requires, bytes_of(bytes));
            has_bytes = true;
            if (signature->by_value)
                add_requirement(requires, values_of(half_called(type) ? "float" : type));
            if (signature->by_value && half_called(type))
                text_append(requires, 512, "// takes:   %s\n", half_called(type));
        }
    }
    for (size_t a = 0; a < signature->count; a++) {
        bool is_there = false;
        for (size_t p = 0; p < kernel->count; p++)
            is_there = is_there || meaning[p] == (int)a;
        if (!is_there)
            add_requirement(requires, signature->arguments[a].absent);
    }
    if (!sizes)
        return fail(error, STATUS_INVALID,
                    "'%s' has no size among its parameters: a header says which problems it serves, such as "
                    "'// require: %s %% 32 == 0, whole tiles'",
                    kernel->name, first_size(signature));
    if (sizes == 1)
        add_requirement(requires, signature->lone_size);
    return STATUS_OK;
}
