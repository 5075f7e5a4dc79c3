#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "kernels/request.h"
#include "kernels/scope.h"

/* ---- reading -------------------------------------------------------------------------------------------------- */

enum status problem_check(const struct problem *problem, struct error *error)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count;
    return kernel_describe(problem, arrays, &count, error);
}

/* Gives the sizes that follow from others their values, but those that are `given` (NULL: none is). */
static enum status derive(struct problem *problem, const bool *given, struct error *error)
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
    derive(&problem, NULL, NULL); /* our own kernels' defaults are within their limits: a test looks */
    return problem;
}

enum status problem_parse(const char *text, struct problem *problem, struct error *error)
{
    struct request request;
    enum status status = request_read(text, &request, error);
    if (status != STATUS_OK)
        return status;
    if (request.has_range)
        return fail(error, STATUS_INVALID, "\"%.200s\": a range is several problems, and one is asked for here", text);
    status = derive(&request.problem, request.given, error);
    if (status == STATUS_OK)
        status = problem_check(&request.problem, error);
    if (status == STATUS_OK)
        *problem = request.problem;
    return status;
}

/* ---- ranges --------------------------------------------------------------------------------------------------- */

/* More problems than this in one text are a slip. */
enum { PROBLEMS_MAX = 10000 };

/* The next value of a span; false after the last. */
static bool advance(const struct span *span, int64_t *value)
{
    int64_t next;
    if (span->multiply ? __builtin_mul_overflow(*value, span->step, &next)
                       : __builtin_add_overflow(*value, span->step, &next))
        return false;
    if (next > span->high || next <= *value)
        return false;
    *value = next;
    return true;
}

/* Steps like an odometer, the last field fastest; false when all have been seen. */
static bool next_problem(const struct request *request, struct problem *problem)
{
    for (size_t i = problem->kernel->field_count; i-- > 0;) {
        if (problem->kernel->fields[i].kind != FIELD_SIZE || (problem->kernel->fields[i].derived && !request->given[i]))
            continue;
        if (advance(&request->spans[i], &problem->values[i].size))
            return true;
        problem->values[i].size = request->spans[i].low;
    }
    return false;
}

static enum status count_problems(const struct request *request, const char *text, size_t *count, struct error *error)
{
    struct problem problem = request->problem;
    *count = 0;
    do {
        enum status status = derive(&problem, request->given, error);
        if (status == STATUS_OK)
            status = problem_check(&problem, error);
        if (status != STATUS_OK)
            return status;
        if (++*count > PROBLEMS_MAX)
            return fail(error, STATUS_INVALID, "\"%.200s\" is more than %d problems; make its ranges coarser", text,
                        PROBLEMS_MAX);
    } while (next_problem(request, &problem));
    return STATUS_OK;
}

enum status problem_parse_range(const char *text, struct problem **problems, size_t *count, struct error *error)
{
    *problems = NULL;
    *count = 0;
    struct request request;
    size_t found;
    enum status status = request_read(text, &request, error);
    if (status == STATUS_OK)
        status = count_problems(&request, text, &found, error);
    if (status != STATUS_OK)
        return status;
    struct problem *made = malloc(found * sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu problems", found);
    struct problem problem = request.problem;
    for (size_t i = 0; i < found; i++) {
        derive(&problem, request.given, NULL); /* counting has seen that it can be done */
        made[i] = problem;
        next_problem(&request, &problem);
    }
    *problems = made;
    *count = found;
    return STATUS_OK;
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
    derive(&plain, in_shape, NULL);
    return plain;
}

static bool is_default(const struct problem *problem, const struct problem *plain, size_t index)
{
    if (problem->kernel->fields[index].kind == FIELD_REAL)
        return problem->values[index].real == plain->values[index].real;
    return problem->values[index].size == plain->values[index].size;
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
        if (!in_shape[i] && !is_default(problem, &plain, i)) {
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
    abort(); /* a kernel asked for a field that it does not have */
}

void problem_set_size(struct problem *problem, const char *name, int64_t value)
{
    ((union field_value *)find_value(problem, name, false))->size = value;
}

int64_t problem_size(const struct problem *problem, const char *name)
{
    return find_value(problem, name, false)->size;
}

double problem_real(const struct problem *problem, const char *name)
{
    return find_value(problem, name, true)->real;
}
