#include "judge/user_adapter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "judge/user_code.h"
#include "judge/user_meaning.h"
#include "judge/user_signature.h"

/* One argument of the user's function, in C: its type, and the expression over the prototype's parameters. */
struct passed {
    char type[16], value[160];
};

struct maker {
    const struct plain_signature *signature;
    const struct user_kernel *mine, *plain; /* the user's function, and the prototype */
    bool is_passed[USER_PARAMETERS_MOST];   /* of the prototype's arrays */
    bool in_float;                          /* as a float, and the prototype's is a double */
};

static bool is_spelled(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* The signature's argument that a header calls so: an array, or an expression. -1: none. */
static int find_argument(const struct plain_signature *signature, const char *text, size_t length, bool *in_float)
{
    *in_float = false;
    for (size_t a = 0; a < signature->count; a++) {
        const struct plain_argument *one = &signature->arguments[a];
        *in_float = one->in_float && is_spelled(text, length, one->in_float);
        if (*in_float || is_spelled(text, length, one->expression) || is_spelled(text, length, one->name))
            return (int)a;
    }
    return -1;
}

/* Products and sums of the prototype's numbers, which C and a header read alike. */
static bool is_plain_arithmetic(const struct maker *maker, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t word = user_code_word(text + at);
        bool is_known = !word || isdigit((unsigned char)text[at]);
        for (size_t p = 0; !is_known && p < maker->plain->count; p++)
            is_known = !maker->plain->parameters[p].is_pointer &&
                       user_code_is(text + at, word, maker->plain->parameters[p].name);
        if (!is_known || (!word && !strchr("+-* ()", text[at])))
            return false;
        at += word ? word : 1;
    }
    return length > 0;
}

static bool pass_array(struct maker *maker, size_t argument, bool in_float, struct passed *passed)
{
    const bool is_result = argument == maker->signature->output;
    snprintf(passed->type, sizeof passed->type, "void *");
    snprintf(passed->value, sizeof passed->value, "%s%s", is_result && in_float ? "&in_float" : "(void *)",
             is_result && in_float ? "" : maker->plain->parameters[argument].name);
    maker->is_passed[argument] = true;
    maker->in_float = maker->in_float || (is_result && in_float);
    return true;
}

/* "int(n)" or "n", as a header has them. */
static bool pass(struct maker *maker, const char *text, size_t length, struct passed *passed)
{
    static const char *const casts[] = {"int", "long", "float", "double"};
    const char *cast = NULL;
    bool in_float;
    for (size_t i = 0; i < COUNT_OF(casts); i++) {
        size_t word = strlen(casts[i]);
        if (length > word + 2 && strncmp(text, casts[i], word) == 0 && text[word] == '(' && text[length - 1] == ')') {
            cast = casts[i];
            text += word + 1, length -= word + 2;
            break;
        }
    }
    int argument = find_argument(maker->signature, text, length, &in_float);
    const struct plain_argument *known = argument >= 0 ? &maker->signature->arguments[argument] : NULL;
    if (known && known->is_array)
        return !cast && pass_array(maker, (size_t)argument, in_float, passed);
    bool is_own = known && !known->by_name;
    if (!is_own && known)
        text = known->expression, length = strlen(text);
    if (!is_own && !is_plain_arithmetic(maker, text, length))
        return false;
    snprintf(passed->type, sizeof passed->type, "%s", cast ? cast : known && known->is_real ? "ELEMENT" : "long");
    snprintf(passed->value, sizeof passed->value, "(%s)(%.*s)", passed->type, is_own ? 64 : (int)length,
             is_own ? maker->plain->parameters[argument].name : text);
    return true;
}

/* Whether the function is called as the prototype is: the same arguments in its order. */
static bool is_prototype(const struct maker *maker, const int *meaning)
{
    bool is_same = maker->mine->count == maker->plain->count;
    for (size_t p = 0; p < maker->mine->count; p++)
        is_same = is_same && meaning[p] == (int)p;
    return is_same;
}

/* The lines of a header's requirements without their key; what a module's type says already is left out. */
static void take_requires(const char *lines, char requires[512])
{
    static const char key[] = "// require: ";
    requires[0] = '\0';
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        if (strncmp(line, key, strlen(key)) == 0 && strncmp(line + strlen(key), "element_", 8) != 0)
            text_append(requires, 512, "%.*s\n", (int)(length - strlen(key)), line + strlen(key));
        line += length + (line[length] == '\n');
    }
}

/* Cuts the list into arguments; -1 with the one that has no meaning. */
static int pass_all(struct maker *maker, const char *list, struct passed *passed, char bad[64])
{
    int count = 0;
    for (const char *at = list; *at;) {
        const char *end = at;
        for (int depth = 0; *end && (*end != ',' || depth); end++)
            depth += (*end == '(') - (*end == ')');
        at += strspn(at, " \t");
        size_t length = (size_t)(end - at);
        while (length && isspace((unsigned char)at[length - 1]))
            length--;
        if (count == USER_PARAMETERS_MOST || !pass(maker, at, length, &passed[count++])) {
            snprintf(bad, 64, "%.*s", length < 60 ? (int)length : 60, at);
            return -1;
        }
        at = end + (*end == ',');
    }
    return count;
}

static void write_code(const struct maker *maker, const char *entry, const struct passed *passed, int count,
                       const char *returned, char code[2048])
{
    const char *output = maker->plain->parameters[maker->signature->output].name;
    const char *prototype = maker->signature->prototype;
    code[0] = '\0';
    text_append(code, 2048, "%s %s(", returned, entry);
    for (int i = 0; i < count; i++)
        text_append(code, 2048, "%s%s", i ? ", " : "", passed[i].type);
    text_append(code, 2048, ");\nvoid " USER_ADAPTER_NAME "%s\n{\n", prototype + strcspn(prototype, "("));
    if (maker->in_float)
        text_append(code, 2048, "    float in_float = (float)*%s;\n", output);
    text_append(code, 2048, "    ");
    if (!maker->is_passed[maker->signature->output])
        text_append(code, 2048, "*%s = ", output);
    text_append(code, 2048, "%s(", entry);
    for (int i = 0; i < count; i++)
        text_append(code, 2048, "%s%s", i ? ", " : "", passed[i].value);
    text_append(code, 2048, ");\n");
    if (maker->in_float)
        text_append(code, 2048, "    *%s = in_float;\n", output);
    text_append(code, 2048, "}\n");
}

/* Whether the function returns what the prototype has stored there: one number. */
static bool returns(const struct user_parameter *output, const char *returned)
{
    return strcmp(output->type, "double") == 0 && (strcmp(returned, "float") == 0 || strcmp(returned, "double") == 0);
}

static bool has_size(const struct user_kernel *kernel)
{
    bool has = false;
    for (size_t p = 0; p < kernel->count; p++)
        has = has || !kernel->parameters[p].is_pointer;
    return has;
}

/* The header's list of arguments, from the parameters' meaning. `*is_needed` is false where the function is called as
 * the prototype is. */
static enum status find_meaning(const struct maker *maker, enum element_type type, struct user_adapter *adapter,
                                bool *is_needed, struct error *error)
{
    char lines[512] = "";
    int meaning[USER_PARAMETERS_MOST];
    user_meaning_match_function(maker->mine, maker->signature, meaning);
    *is_needed = !is_prototype(maker, meaning) || !user_signature_fits(maker->mine, maker->plain, type);
    if (!*is_needed)
        return STATUS_OK;
    if (!has_size(maker->mine))
        return fail(error, STATUS_INVALID,
                    "'%s' has no size among its parameters; as a function of the kernel it would be %s",
                    maker->mine->name, maker->signature->prototype);
    enum status status =
        user_meaning_arguments(maker->mine, maker->signature, meaning, adapter->arguments, lines, error);
    take_requires(lines, adapter->requires);
    return status;
}

/* Of an array that is not passed. */
static enum status check_arrays(const struct maker *maker, const char *returned, struct error *error)
{
    for (size_t p = 0; p < maker->plain->count; p++) {
        const struct user_parameter *one = &maker->plain->parameters[p];
        if (one->is_pointer && !maker->is_passed[p] && !returns(one, returned))
            return fail(error, STATUS_INVALID,
                        "'%s' has no parameter for the array '%s'; as a function of the kernel it would be %s",
                        maker->mine->name, one->name, maker->signature->prototype);
    }
    return STATUS_OK;
}

enum status user_adapter_make(const char *text, const char *entry, enum element_type type, const char *arguments,
                              const struct plain_signature *signature, struct user_adapter *adapter,
                              struct error *error)
{
    struct user_kernel mine, plain;
    struct passed passed[USER_PARAMETERS_MOST];
    char bad[64], returned[16];
    bool is_needed = true;
    *adapter = (struct user_adapter){.code = ""};
    if (!user_signature_read(text, entry, signature, &mine, &plain, returned))
        return STATUS_OK;
    struct maker maker = {.signature = signature, .mine = &mine, .plain = &plain};
    enum status status = STATUS_OK;
    if (arguments)
        snprintf(adapter->arguments, sizeof adapter->arguments, "%s", arguments);
    else
        status = find_meaning(&maker, type, adapter, &is_needed, error);
    if (status != STATUS_OK || !is_needed)
        return status;
    int count = pass_all(&maker, adapter->arguments, passed, bad);
    if (count < 0)
        return fail(error, STATUS_INVALID,
                    "'%s' is not what a function in C is called with: arrays, sizes, and their sums and products", bad);
    if (count != (int)mine.count)
        return fail(error, STATUS_INVALID, "'%s' has %zu parameters, and --args names %d", entry, mine.count, count);
    status = check_arrays(&maker, returned, error);
    if (status == STATUS_OK)
        write_code(&maker, entry, passed, count, maker.is_passed[signature->output] ? "void" : returned, adapter->code);
    return status;
}
