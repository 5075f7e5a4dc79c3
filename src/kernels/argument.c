#include "kernels/argument.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"

_Static_assert(KERNEL_ARRAYS_MAX + PROBLEM_FIELDS_MAX <= SOURCE_ARGUMENTS_MAX, "the default list must fit");

static const struct {
    const char *name;
    enum argument_kind kind;
} casts[] = {{"int", ARGUMENT_INT}, {"long", ARGUMENT_LONG}, {"float", ARGUMENT_FLOAT}, {"double", ARGUMENT_DOUBLE}};

/* A real has the precision of the elements' components. */
static enum argument_kind real_kind(const struct problem *problem)
{
    bool wide = problem->type == ELEMENT_F64 || problem->type == ELEMENT_C128;
    return wide ? ARGUMENT_DOUBLE : ARGUMENT_FLOAT;
}

/* When `text` is "NAME( … )" as a whole: where the inner text begins; its length is written. Else NULL. */
static const char *inside_cast(const char *text, const char *name, size_t *length)
{
    size_t word = strlen(name);
    if (strncmp(text, name, word) != 0)
        return NULL;
    const char *open = text + word + strspn(text + word, " \t");
    if (*open != '(')
        return NULL;
    int depth = 0;
    for (const char *at = open; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0) {
            *length = (size_t)(at - open - 1);
            return at[1] == '\0' ? open + 1 : NULL;
        }
    }
    return NULL;
}

static bool find_array(const struct problem *problem, const char *name, int *index)
{
    struct array arrays[KERNEL_ARRAYS_MAX] = {0};
    int count = problem->kernel->describe(problem, arrays);
    for (*index = 0; *index < count; ++*index)
        if (strcmp(arrays[*index].name, name) == 0)
            return true;
    *index = ARGUMENT_SCRATCH;
    return strcmp(name, "scratch") == 0;
}

static bool is_real(const struct problem *problem, const char *name)
{
    const struct kernel *kernel = problem->kernel;
    for (size_t i = 0; i < kernel->field_count; i++)
        if (kernel->fields[i].kind == FIELD_REAL && strcmp(kernel->fields[i].name, name) == 0)
            return true;
    return false;
}

enum status argument_read(const struct problem *problem, const char *text, struct argument *argument,
                          struct error *error)
{
    const char *expression = text;
    size_t length = strlen(text);
    *argument = (struct argument){.kind = is_real(problem, text) ? real_kind(problem) : ARGUMENT_LONG};
    if (find_array(problem, text, &argument->array)) {
        argument->kind = ARGUMENT_BUFFER;
        return STATUS_OK;
    }
    for (size_t i = 0; i < COUNT_OF(casts); i++) {
        size_t inner;
        const char *inside = inside_cast(text, casts[i].name, &inner);
        if (!inside)
            continue;
        argument->kind = casts[i].kind;
        expression = inside;
        length = inner;
    }
    if (length >= sizeof argument->expression)
        return fail(error, STATUS_INVALID, "an argument is %zu bytes long; at most %zu are taken", length,
                    sizeof argument->expression - 1);
    snprintf(argument->expression, sizeof argument->expression, "%.*s", (int)length, expression);
    return STATUS_OK;
}

size_t argument_defaults(const struct problem *problem, struct argument *arguments)
{
    const struct kernel *kernel = problem->kernel;
    struct array arrays[KERNEL_ARRAYS_MAX] = {0};
    int array_count = kernel->describe(problem, arrays);
    size_t count = 0;
    for (int i = 0; i < array_count; i++)
        arguments[count++] = (struct argument){.kind = ARGUMENT_BUFFER, .array = i};
    for (size_t i = 0; i < kernel->field_count; i++) {
        if (kernel->fields[i].host_only || kernel->fields[i].unless_taken)
            continue;
        bool real = kernel->fields[i].kind == FIELD_REAL;
        arguments[count] = (struct argument){.kind = real ? real_kind(problem) : ARGUMENT_LONG};
        snprintf(arguments[count].expression, SOURCE_EXPRESSION_MAX, "%s", kernel->fields[i].name);
        count++;
    }
    return count;
}
