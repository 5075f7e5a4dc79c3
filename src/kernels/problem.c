#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "kernels/problem_derive.h"
#include "kernels/scope.h"

enum status kernel_describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX], int *count,
                            struct error *error)
{
    memset(arrays, 0, KERNEL_ARRAYS_MAX * sizeof arrays[0]);
    int described = problem->kernel->describe(problem, arrays);
    size_t total = 0;
    for (int i = 0; i < described; i++) {
        struct array *array = &arrays[i];
        size_t bytes = element_info(array->type)->bytes;
        bool fits = size_multiply(array->rows, array->cols, &array->bytes) &&
                    size_multiply(array->bytes, bytes, &array->bytes) && size_add(total, array->bytes, &total);
        if (!fits || total > PTRDIFF_MAX)
            return fail(error, STATUS_INVALID,
                        "%s: array '%s' of %zu × %zu elements of %zu bytes is more than an address space holds",
                        problem->kernel->name, array->name, array->rows, array->cols, bytes);
    }
    *count = described;
    return STATUS_OK;
}

enum status problem_derive(struct problem *problem, const bool *given, struct error *error)
{
    const struct kernel *kernel = problem->kernel;
    struct scope scope = {.problem = problem};
    for (size_t i = 0; i < kernel->field_count; i++) {
        const struct problem_field *field = &kernel->fields[i];
        if (!field->derived || (given && given[i]))
            continue;
        int64_t value;
        enum status status = scope_integer(&scope, field->derived, &value, error);
        if (status != STATUS_OK)
            return fail_in(error, status, "%s: the default of %s", kernel->name, field->name);
        if (value < field->minimum || value > field->maximum)
            return fail(error, STATUS_INVALID, "%s: %s is %s = %ld when it is not given, outside %ld … %ld",
                        kernel->name, field->name, field->derived, value, field->minimum, field->maximum);
        problem->values[i].size = value;
    }
    return kernel->imply ? kernel->imply(problem, given, error) : STATUS_OK;
}

struct problem problem_default(const struct kernel *kernel)
{
    struct problem problem = {.kernel = kernel, .type = kernel->types[0], .seed = 1};
    for (size_t i = 0; i < kernel->field_count; i++)
        if (kernel->fields[i].kind == FIELD_REAL)
            problem.values[i].real = kernel->fields[i].initial_real;
        else
            problem.values[i].size = kernel->fields[i].initial;
    problem_derive(&problem, NULL, NULL); /* our own kernels' defaults are within their limits: a test looks */
    return problem;
}

/* Sizes that are powers of two are written as such from this one on. */
enum { POWERS_FROM = 16 };

/* ---- writing and looking up ----------------------------------------------------------------------------------- */

static bool is_omitted(const struct problem_field *field, union field_value value)
{
    return field->omitted_by_default &&
           (field->kind == FIELD_REAL ? value.real == field->initial_real : value.size == field->initial);
}

/* "rows=4096" */
static void append_field(const struct problem *problem, size_t index, char text[PROBLEM_TEXT_MAX])
{
    const struct problem_field *field = &problem->kernel->fields[index];
    union field_value value = problem->values[index];
    char number[32];
    text_append(text, PROBLEM_TEXT_MAX, "%s=", field->name);
    if (field->kind == FIELD_SIZE)
        text_append(text, PROBLEM_TEXT_MAX, "%" PRId64, value.size);
    else if (field->kind == FIELD_CHOICE)
        text_append(text, PROBLEM_TEXT_MAX, "%s", field->choices[value.size]);
    else
        text_append(text, PROBLEM_TEXT_MAX, "%s", text_from_real(value.real, number, sizeof number));
}

/* The type and, where it is not 1, the seed. */
static const char *append_end(const struct problem *problem, const char *parting, char text[PROBLEM_TEXT_MAX])
{
    text_append(text, PROBLEM_TEXT_MAX, "%s", element_info(problem->type)->name);
    if (problem->seed != 1)
        text_append(text, PROBLEM_TEXT_MAX, "%sseed=%" PRIu32, parting, problem->seed);
    return text;
}

const char *problem_text(const struct problem *problem, char text[PROBLEM_TEXT_MAX])
{
    snprintf(text, PROBLEM_TEXT_MAX, "%s:", problem->kernel->name);
    for (size_t i = 0; i < problem->kernel->field_count; i++)
        if (!is_omitted(&problem->kernel->fields[i], problem->values[i])) {
            append_field(problem, i, text);
            text_append(text, PROBLEM_TEXT_MAX, ",");
        }
    return append_end(problem, ",", text);
}

/* The problem's kernel at its defaults, but for what derived sizes follow from. */
static struct problem default_like(const struct problem *problem, const bool in_shape[PROBLEM_FIELDS_MAX])
{
    struct problem plain = problem_default(problem->kernel);
    for (size_t i = 0; i < problem->kernel->field_count; i++)
        if (in_shape[i])
            plain.values[i] = problem->values[i];
    problem_derive(&plain, in_shape, NULL);
    return plain;
}

static bool has_value_of(const struct problem *problem, const struct problem *other, size_t index)
{
    if (problem->kernel->fields[index].kind == FIELD_REAL)
        return problem->values[index].real == other->values[index].real;
    return problem->values[index].size == other->values[index].size;
}

bool problem_equals(const struct problem *a, const struct problem *b)
{
    bool is_same = a->kernel == b->kernel && a->type == b->type && a->seed == b->seed;
    for (size_t i = 0; is_same && i < a->kernel->field_count; i++)
        is_same = has_value_of(a, b, i);
    return is_same;
}

/* "4096"; "2^24" */
static void append_size(int64_t size, char text[PROBLEM_TEXT_MAX])
{
    bool is_power = size >= 1 << POWERS_FROM && (size & (size - 1)) == 0;
    if (is_power)
        text_append(text, PROBLEM_TEXT_MAX, "2^%d", __builtin_ctzll((unsigned long long)size));
    else
        text_append(text, PROBLEM_TEXT_MAX, "%" PRId64, size);
}

const char *problem_heading(const struct problem *problem, char text[PROBLEM_TEXT_MAX])
{
    const struct kernel *kernel = problem->kernel;
    bool in_shape[PROBLEM_FIELDS_MAX] = {false};
    snprintf(text, PROBLEM_TEXT_MAX, "%s ", kernel->name);
    for (size_t s = 0; kernel->shape && kernel->shape[s]; s++)
        for (size_t i = 0; i < kernel->field_count; i++)
            if (strcmp(kernel->fields[i].name, kernel->shape[s]) == 0) {
                in_shape[i] = true;
                text_append(text, PROBLEM_TEXT_MAX, "%s", s > 0 ? " × " : "");
                append_size(problem->values[i].size, text);
            }
    if (kernel->shape)
        text_append(text, PROBLEM_TEXT_MAX, ", ");
    struct problem plain = default_like(problem, in_shape);
    for (size_t i = 0; i < kernel->field_count; i++)
        if (!in_shape[i] && !has_value_of(problem, &plain, i)) {
            append_field(problem, i, text);
            text_append(text, PROBLEM_TEXT_MAX, ", ");
        }
    return append_end(problem, ", ", text);
}

static const union field_value *find_value(const struct problem *problem, const char *name, bool real)
{
    for (size_t i = 0; i < problem->kernel->field_count; i++) {
        const struct problem_field *field = &problem->kernel->fields[i];
        if (strcmp(field->name, name) == 0 && (field->kind == FIELD_REAL) == real)
            return &problem->values[i];
    }
    abort(); /* a kernel read a field that it does not have */
}

void problem_set_size(struct problem *problem, const char *name, int64_t value)
{
    ((union field_value *)find_value(problem, name, false))->size = value;
}

void problem_set_real(struct problem *problem, const char *name, double value)
{
    ((union field_value *)find_value(problem, name, true))->real = value;
}

int64_t problem_size(const struct problem *problem, const char *name)
{
    return find_value(problem, name, false)->size;
}

double problem_real(const struct problem *problem, const char *name)
{
    return find_value(problem, name, true)->real;
}
