#include "judge/user_kernel.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "judge/user_code.h"
#include "judge/user_conditions.h"
#include "judge/user_type.h"

/* ---- the text ------------------------------------------------------------------------------------------------- */

static bool is_marker(const char *word, size_t length, bool is_cuda)
{
    static const char *const opencl[] = {"__kernel", "kernel"}, *const cuda[] = {"__global__", "__global__"};
    const char *const *markers = is_cuda ? cuda : opencl;
    for (int i = 0; i < 2; i++)
        if (strlen(markers[i]) == length && strncmp(word, markers[i], length) == 0)
            return true;
    return false;
}

/* Reads the function's name after a marker, past attributes such as __launch_bounds__(256). False if there is none. */
static bool find_name(const char *code, size_t at, size_t *name, size_t *length, size_t *open)
{
    *length = 0;
    for (at = user_code_skip_blanks(code, at); code[at]; at = user_code_skip_blanks(code, at)) {
        if (code[at] == '(') {
            bool is_attribute = *length > 1 && code[*name] == '_' && code[*name + 1] == '_';
            *open = at;
            if (!is_attribute)
                return *length > 0;
            at = user_code_skip_parentheses(code, at);
        } else if (user_code_is_word(code[at])) {
            *name = at;
            *length = user_code_word(code + at);
            at += *length;
        } else if (code[at] == '*' || code[at] == '&' || code[at] == ':') {
            at++;
        } else {
            return false;
        }
    }
    return false;
}

/* ---- parameters ----------------------------------------------------------------------------------------------- */

static bool is_qualifier(const char *word, size_t length)
{
    static const char *const words[] = {"const",    "__global",   "global",   "__restrict__", "__restrict", "restrict",
                                        "volatile", "__constant", "constant", "struct",       "__read_only"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && strncmp(words[i], word, length) == 0)
            return true;
    return false;
}

static bool is_local(const char *word, size_t length)
{
    return user_code_is(word, length, "__local") || user_code_is(word, length, "local") ||
           user_code_is(word, length, "local_pointer");
}

/* Parses one parameter, code[from, to). */
static bool read_parameter(const char *code, size_t from, size_t to, struct user_kernel *kernel)
{
    char words[2][64] = {"", ""};
    bool is_pointer = false, is_unsigned = false, is_const = false, in_local = false;
    size_t count = 0;
    for (size_t at = from; at < to;) {
        if (!user_code_is_word(code[at])) {
            is_pointer = is_pointer || code[at] == '*' || code[at] == '[';
            at++;
            continue;
        }
        size_t length = user_code_word(code + at);
        is_const = is_const || (!is_pointer && length == 5 && strncmp(code + at, "const", 5) == 0);
        bool is_space = is_local(code + at, length);
        in_local = in_local || is_space;
        if (!is_space && length < sizeof words[0] && !is_qualifier(code + at, length) &&
            !isdigit((unsigned char)code[at])) {
            bool is_sign = length == 8 && strncmp(code + at, "unsigned", 8) == 0;
            is_unsigned = is_unsigned || is_sign;
            if (count == 2 && !is_sign) /* "long long n", "unsigned int n": the last word is the name */
                snprintf(words[0], sizeof words[0], "%s", words[1]);
            if (!is_sign) {
                snprintf(words[count < 2 ? count : 1], sizeof words[0], "%.*s", (int)length, code + at);
                count += count < 2;
            }
        }
        at += length;
    }
    if (count == 0)
        return true; /* (void) or nothing */
    if (kernel->count == USER_PARAMETERS_MOST)
        return false;
    if (count == 1) { /* "unsigned n" */
        snprintf(words[1], sizeof words[1], "%s", words[0]);
        strcpy(words[0], is_unsigned ? "uint" : "");
        if (!is_unsigned)
            return strcmp(words[1], "void") == 0;
    }
    bool is_uint = is_unsigned && strcmp(words[0], "int") == 0, is_ulong = is_unsigned && strcmp(words[0], "long") == 0;
    strcpy(kernel->parameters[kernel->count].type, is_uint ? "uint" : is_ulong ? "ulong" : words[0]);
    strcpy(kernel->parameters[kernel->count].name, words[1]);
    kernel->parameters[kernel->count].is_local = in_local;
    kernel->parameters[kernel->count].is_read_only = is_const && is_pointer;
    kernel->parameters[kernel->count++].is_pointer = is_pointer;
    return true;
}

bool user_kernel_parameters(const char *code, size_t open, struct user_kernel *kernel)
{
    size_t end = user_code_skip_parentheses(code, open) - 1, from = open + 1;
    for (size_t at = from; at <= end; at++)
        if (code[at] == ',' || at == end) {
            if (!read_parameter(code, from, at, kernel))
                return false;
            from = at + 1;
        }
    return true;
}

/* Whether the code has this character behind the call's or the variable's name: "get_local_id(1)", "blockIdx.y". */
static bool uses_axis(const char *text, const char *name, char axis)
{
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char *next = at + strlen(name);
        if (next[strspn(next, " \t")] == axis)
            return true;
    }
    return false;
}

/* The number of axes of the index space that the code uses; macros are a part of it. 0: not known, as an axis is named
 * by a variable, or the index is handed on as a whole. */
static int rank_of(const char *text)
{
    static const char *const names[] = {"_id(", "Idx."};
    static const char *const digits = "012", *const letters = "xyz";
    int rank = 1;
    for (const char *at = text; (at = strstr(at, "_id(")); at++)
        if (!strchr(digits, at[4 + strspn(at + 4, " \t")]))
            rank = 0;
    for (const char *at = text; (at = strstr(at, "Idx")); at++)
        if (at[3] != '.' && !user_code_is_word(at[3]))
            rank = 0;
    for (int axis = 1; axis < 3 && rank; axis++)
        if (uses_axis(text, names[0], digits[axis]) || uses_axis(text, names[1], letters[axis]))
            rank = axis + 1;
    return rank;
}

enum status user_kernel_find(const char *text, bool is_cuda, const char *wanted, const char *usual,
                             struct user_kernel *kernel, struct error *error)
{
    char *code = user_code_blank(text, false), all[256] = "";
    size_t found = 0, name = 0, length = 0, open = 0;
    struct user_kernel candidate;
    bool is_chosen = false, is_read = true;
    *kernel = (struct user_kernel){.at = 0};
    if (!code)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the file");
    for (size_t at = 0; code[at]; at += code[at] != '\0') {
        size_t word = user_code_word(code + at), marker = at;
        at += word;
        if (!word || !is_marker(code + marker, word, is_cuda) || !find_name(code, at, &name, &length, &open))
            continue;
        if (code[user_code_skip_blanks(code, user_code_skip_parentheses(code, open))] == ';')
            continue; /* its definition follows */
        candidate = (struct user_kernel){.at = name, .marker = marker};
        snprintf(candidate.name, sizeof candidate.name, "%.*s", (int)length, code + name);
        text_append(all, sizeof all, "%s%s", found++ ? ", " : "", candidate.name);
        bool is_wanted = strcmp(candidate.name, wanted ? wanted : usual) == 0;
        if (is_wanted || (!wanted && !is_chosen && found == 1)) {
            is_chosen = is_chosen || is_wanted;
            is_read = user_kernel_parameters(code, open, &candidate);
            *kernel = candidate;
        }
        if (code[at] == '\0')
            break;
    }
    free(code);
    code = user_code_blank(text, true);
    int rank = code ? rank_of(code) : 0;
    if (code)
        user_conditions_settle(code);
    for (size_t p = 0; code && p < kernel->count; p++)
        user_type_resolve(code, kernel->parameters[p].type, sizeof kernel->parameters[p].type);
    free(code);
    if (!found)
        return fail(error, STATUS_INVALID, "there is no %s function in it", is_cuda ? "__global__" : "__kernel");
    if (wanted && !is_chosen)
        return fail(error, STATUS_INVALID, "it has no kernel '%.60s'; it has %s", wanted, all);
    if (!wanted && !is_chosen && found > 1)
        return fail(error, STATUS_INVALID, "it has several kernels (%s): choose one with --entry", all);
    kernel->rank = rank;
    return is_read ? STATUS_OK : fail(error, STATUS_INVALID, "the parameters of '%s' cannot be read", kernel->name);
}

/* ---- meanings ------------------------------------------------------------------------------------------------- */

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
    for (size_t a = 0; a < signature->count; a++)
        inputs += signature->arguments[a].is_array && a != signature->output;
    for (size_t p = 0; p < kernel->count; p++)
        read_only += kernel->parameters[p].is_read_only;
    return !mine->is_pointer ||
           (argument == signature->output ? !mine->is_read_only : mine->is_read_only || read_only < inputs);
}

/* Each parameter's argument: matched by name, the others by position among those of the same sort; -1: none. */
static void match_names(const struct user_kernel *kernel, const struct plain_signature *signature, int *meaning)
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
            if (!taken[a] && may_be(kernel, p, signature, a)) {
                meaning[p] = (int)a;
                taken[a] = true;
            }
}

/* "int(n)": the expression cast to the parameter's type. False for an unknown type. */
static bool spell(const char *type, const char *expression, char *text, size_t size)
{
    static const struct {
        const char *type, *cast;
    } casts[] = {
        {"int", "int"},       {"uint", "int"},       {"int32_t", "int"}, {"uint32_t", "int"},  {"long", "long"},
        {"ulong", "long"},    {"int64_t", "long"},   {"size_t", "long"}, {"uint64_t", "long"}, {"float", "float"},
        {"double", "double"}, {"long long", "long"}, {"ELEMENT", ""},
    };
    for (size_t i = 0; i < sizeof casts / sizeof casts[0]; i++)
        if (strcmp(casts[i].type, type) == 0) {
            snprintf(text, size, casts[i].cast[0] ? "%s(%s)" : "%s%s", casts[i].cast, expression);
            return true;
        }
    return false;
}

static const char *element_bytes_of(const char *type)
{
    static const char *const four[] = {"float", "int", "uint", "unsigned", "int32_t", "uint32_t"};
    for (size_t i = 0; i < sizeof four / sizeof four[0]; i++)
        if (strcmp(type, four[i]) == 0)
            return "4";
    return strcmp(type, "double") == 0 || strcmp(type, "long") == 0 || strcmp(type, "ulong") == 0 ? "8" : NULL;
}

/* The requirement on the problem of a kernel that compares elements of this type; NULL for the problem's own types. */
static const char *values_of(const char *type)
{
    static const struct {
        const char *type, *require;
    } values[] = {
        {"float", "element_kind == 2, it compares floating-point numbers"},
        {"double", "element_kind == 2, it compares floating-point numbers"},
        {"int", "element_kind == 1, it compares signed integers"},
        {"int32_t", "element_kind == 1, it compares signed integers"},
        {"long", "element_kind == 1, it compares signed integers"},
        {"int64_t", "element_kind == 1, it compares signed integers"},
        {"uint", "element_kind == 0, it compares unsigned integers"},
        {"uint32_t", "element_kind == 0, it compares unsigned integers"},
        {"ulong", "element_kind == 0, it compares unsigned integers"},
        {"uint64_t", "element_kind == 0, it compares unsigned integers"},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (strcmp(values[i].type, type) == 0)
            return values[i].require;
    return NULL;
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
        text_append(list, 160, "%s%s", a ? ", " : "", signature->arguments[a].name);
    return list;
}

enum status user_kernel_arguments(const struct user_kernel *kernel, const struct plain_signature *signature,
                                  char arguments[512], char requires[512], struct error *error)
{
    int meaning[USER_PARAMETERS_MOST];
    size_t sizes = 0;
    bool has_bytes = false; /* all arrays have elements of one size, given by the first */
    arguments[0] = requires[0] = '\0';
    match_names(kernel, signature, meaning);
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
            text_append(requires, 512, "// require: element_bytes == %s, its elements are of %s bytes\n", bytes, bytes);
            has_bytes = true;
            if (signature->compares && values_of(type))
                text_append(requires, 512, "// require: %s\n", values_of(type));
        }
    }
    for (size_t a = 0; a < signature->count; a++) {
        bool is_there = signature->arguments[a].absent == NULL;
        for (size_t p = 0; p < kernel->count; p++)
            is_there = is_there || meaning[p] == (int)a;
        if (!is_there)
            text_append(requires, 512, "// require: %s\n", signature->arguments[a].absent);
    }
    if (!sizes)
        return fail(error, STATUS_INVALID,
                    "'%s' has no size among its parameters: a header says which problems it serves, such as "
                    "'// require: %s %% 32 == 0, whole tiles'",
                    kernel->name, first_size(signature));
    if (sizes == 1 && signature->lone_size)
        text_append(requires, 512, "// require: %s\n", signature->lone_size);
    return STATUS_OK;
}
