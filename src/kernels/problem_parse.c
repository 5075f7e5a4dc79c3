/* Problems from a text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernels/kernel.h"
#include "kernels/problem_derive.h"

/* A parsed problem text, before ranges are unrolled. */

/* The values of one size: low, then + step or × step while they are not above high. */
struct span {
    int64_t low, high, step;
    bool multiply;
};

struct request {
    struct problem problem;                /* defaults, and what was named, with each span's low value */
    struct span spans[PROBLEM_FIELDS_MAX]; /* of the fields that are sizes */
    bool given[PROBLEM_FIELDS_MAX];
    bool type_given, seed_given;
    bool has_range;
};

/* Longer than any part of a right text; what is longer is shown cut in messages. */
enum { ITEM_MAX = 128, FACTOR = 2 };

/* ---- words for messages --------------------------------------------------------------------------------------- */

static const char *type_names(const struct kernel *kernel, char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (size_t i = 0; i < kernel->type_count; i++)
        text_append(buffer, size, "%s%s", i > 0 ? ", " : "", element_info(kernel->types[i])->name);
    return buffer;
}

static const char *field_names(const struct kernel *kernel, char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (size_t i = 0; i < kernel->field_count; i++)
        text_append(buffer, size, "%s, ", kernel->fields[i].name);
    text_append(buffer, size, "seed");
    return buffer;
}

static enum status unknown_field(const struct kernel *kernel, const char *name, struct error *error)
{
    const char *names[PROBLEM_FIELDS_MAX + 1];
    size_t count = 0;
    for (; count < kernel->field_count; count++)
        names[count] = kernel->fields[count].name;
    names[count++] = "seed";
    const char *closest = text_closest(name, names, count);
    if (closest)
        return fail(error, STATUS_INVALID, "%s has no '%s'; did you mean '%s'?", kernel->name, name, closest);
    char all[ITEM_MAX];
    return fail(error, STATUS_INVALID, "%s has no '%s'; it has %s", kernel->name, name,
                field_names(kernel, all, sizeof all));
}

/* ---- values --------------------------------------------------------------------------------------------------- */

/* "1024", "1024..4096", "1024..4096x4", "1024..4096+512". */
static bool read_span(char *text, struct span *span)
{
    char *dots = strstr(text, "..");
    if (!dots) {
        *span = (struct span){.step = FACTOR, .multiply = true};
        if (!text_integer(text, &span->low))
            return false;
        span->high = span->low;
        return true;
    }
    *dots = '\0';
    char *high = dots + 2;
    char *sign = high + strcspn(high, "x+");
    *span = (struct span){.step = FACTOR, .multiply = *sign != '+'};
    if (*sign != '\0') {
        *sign = '\0';
        if (!text_integer(sign + 1, &span->step))
            return false;
    }
    return text_integer(text, &span->low) && text_integer(high, &span->high);
}

static enum status check_span(const struct kernel *kernel, const struct problem_field *field, const struct span *span,
                              struct error *error)
{
    if (span->low < field->minimum || span->high > field->maximum || span->high < field->minimum ||
        span->low > field->maximum)
        return fail(error, STATUS_INVALID, "%s: %s=%ld is outside %ld … %ld", kernel->name, field->name,
                    span->low < field->minimum || span->low > field->maximum ? span->low : span->high, field->minimum,
                    field->maximum);
    if (span->low > span->high)
        return fail(error, STATUS_INVALID, "%s: the range of %s ends below its start", kernel->name, field->name);
    if (span->multiply && span->low < span->high && (span->step < 2 || span->low < 1))
        return fail(error, STATUS_INVALID,
                    "%s: the range of %s never ends; it needs a factor from 2 and a start from 1", kernel->name,
                    field->name);
    if (!span->multiply && span->step < 1)
        return fail(error, STATUS_INVALID, "%s: the range of %s never ends; it needs a step from 1", kernel->name,
                    field->name);
    return STATUS_OK;
}

static enum status read_size(struct request *request, size_t index, char *text, struct error *error)
{
    const struct kernel *kernel = request->problem.kernel;
    const struct problem_field *field = &kernel->fields[index];
    char copy[ITEM_MAX];
    snprintf(copy, sizeof copy, "%s", text);
    struct span *span = &request->spans[index];
    if (!read_span(copy, span))
        return fail(error, STATUS_INVALID,
                    "%s: %s=%s is not a size; use 1000, 4k, 1e6, 2^20 or a range such as 1k..64kx4", kernel->name,
                    field->name, text);
    enum status status = check_span(kernel, field, span, error);
    request->problem.values[index].size = span->low;
    request->has_range |= span->low < span->high;
    return status;
}

static enum status read_choice(struct request *request, size_t index, const char *text, struct error *error)
{
    const struct kernel *kernel = request->problem.kernel;
    const struct problem_field *field = &kernel->fields[index];
    size_t count = 0;
    char all[ITEM_MAX] = "";
    for (; field->choices[count]; count++) {
        if (strcmp(field->choices[count], text) == 0) {
            request->problem.values[index].size = (int64_t)count;
            return STATUS_OK;
        }
        text_append(all, sizeof all, "%s%s", count > 0 ? ", " : "", field->choices[count]);
    }
    const char *closest = text_closest(text, field->choices, count);
    if (closest)
        return fail(error, STATUS_INVALID, "%s: %s=%s is not one of %s; did you mean '%s'?", kernel->name, field->name,
                    text, all, closest);
    return fail(error, STATUS_INVALID, "%s: %s=%s is not one of %s", kernel->name, field->name, text, all);
}

static enum status read_field(struct request *request, size_t index, char *text, struct error *error)
{
    const struct kernel *kernel = request->problem.kernel;
    const struct problem_field *field = &kernel->fields[index];
    if (request->given[index])
        return fail(error, STATUS_INVALID, "%s: %s is given twice", kernel->name, field->name);
    request->given[index] = true;
    switch (field->kind) {
    case FIELD_SIZE:
        return read_size(request, index, text, error);
    case FIELD_CHOICE:
        return read_choice(request, index, text, error);
    case FIELD_REAL:
        break;
    }
    if (!text_real(text, &request->problem.values[index].real))
        return fail(error, STATUS_INVALID, "%s: %s=%s is not a finite decimal number", kernel->name, field->name, text);
    double value = request->problem.values[index].real;
    if (field->minimum_real < field->maximum_real && (value < field->minimum_real || value > field->maximum_real))
        return fail(error, STATUS_INVALID, "%s: %s=%s is outside %g … %g", kernel->name, field->name, text,
                    field->minimum_real, field->maximum_real);
    return STATUS_OK;
}

/* ---- a shape -------------------------------------------------------------------------------------------------- */

static size_t field_index(const struct kernel *kernel, const char *name)
{
    size_t index = 0;
    while (index < kernel->field_count && strcmp(kernel->fields[index].name, name) != 0)
        index++;
    return index;
}

static enum status wrong_shape(const struct kernel *kernel, const char *text, size_t wanted, struct error *error)
{
    char names[ITEM_MAX] = "";
    for (size_t i = 0; i < wanted; i++)
        text_append(names, sizeof names, "%s%s", i > 0 ? "x" : "", kernel->shape[i]);
    if (strstr(text, ".."))
        return fail(error, STATUS_INVALID, "%s: a range needs the name of its size: %s=%s", kernel->name,
                    kernel->shape[0], text);
    return fail(error, STATUS_INVALID, "%s: '%s' is not a shape; %s is, or one number for all of them", kernel->name,
                text, names);
}

/* "1024x512" sets the kernel's sizes in the order of its shape; one number, or a range of the only size, all of them.
 */
static enum status read_shape(struct request *request, const char *text, struct error *error)
{
    const struct kernel *kernel = request->problem.kernel;
    char copy[ITEM_MAX], *parts[SHAPE_FIELDS_MAX];
    size_t wanted = 0, count = 0;
    while (kernel->shape && kernel->shape[wanted])
        wanted++;
    snprintf(copy, sizeof copy, "%s", text);
    bool is_range = strstr(text, "..") != NULL;
    if (wanted == 0 || (is_range && wanted > 1))
        return wanted == 0 ? unknown_field(kernel, text, error) : wrong_shape(kernel, text, wanted, error);
    for (char *at = copy; at; count++) {
        char *end = is_range ? NULL : strchr(at, 'x');
        if (count == wanted)
            return wrong_shape(kernel, text, wanted, error);
        parts[count] = at;
        at = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
    }
    if (count != 1 && count != wanted)
        return wrong_shape(kernel, text, wanted, error);
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < wanted; i++)
        status = read_field(request, field_index(kernel, kernel->shape[i]), parts[count == 1 ? 0 : i], error);
    return status;
}

static enum status read_seed(struct request *request, const char *text, struct error *error)
{
    const char *kernel = request->problem.kernel->name;
    int64_t seed;
    if (request->seed_given)
        return fail(error, STATUS_INVALID, "%s: seed is given twice", kernel);
    if (!text_integer(text, &seed) || seed < 0 || seed > UINT32_MAX)
        return fail(error, STATUS_INVALID, "%s: seed=%s is not an integer from 0 to 4294967295", kernel, text);
    request->seed_given = true;
    request->problem.seed = (uint32_t)seed;
    return STATUS_OK;
}

static enum status read_type(struct request *request, const char *name, struct error *error)
{
    const struct kernel *kernel = request->problem.kernel;
    char all[ITEM_MAX];
    enum element_type type = element_by_name(name);
    if (type == ELEMENT_TYPE_COUNT) {
        for (size_t i = 0; i < kernel->field_count; i++)
            if (strcmp(kernel->fields[i].name, name) == 0)
                return fail(error, STATUS_INVALID, "%s: '%s' needs a value: %s=…", kernel->name, name, name);
        return fail(error, STATUS_INVALID, "%s: '%s' is not an element type; it works on %s", kernel->name, name,
                    type_names(kernel, all, sizeof all));
    }
    if (request->type_given)
        return fail(error, STATUS_INVALID, "%s: the element type is given twice", kernel->name);
    for (size_t i = 0; i < kernel->type_count; i++)
        if (kernel->types[i] == type) {
            request->problem.type = type;
            request->type_given = true;
            return STATUS_OK;
        }
    return fail(error, STATUS_INVALID, "%s does not work on %s; it works on %s", kernel->name, name,
                type_names(kernel, all, sizeof all));
}

/* ---- the text ------------------------------------------------------------------------------------------------- */

/* "field=value", "seed=7", a shape or a type; `item` may be changed. */
static enum status read_item(struct request *request, char *item, struct error *error)
{
    const struct kernel *kernel = request->problem.kernel;
    char *sign = strchr(item, '=');
    if (!sign && item[0] >= '0' && item[0] <= '9')
        return read_shape(request, item, error);
    if (!sign)
        return read_type(request, item, error);
    *sign = '\0';
    for (size_t i = 0; i < kernel->field_count; i++)
        if (strcmp(kernel->fields[i].name, item) == 0)
            return read_field(request, i, sign + 1, error);
    if (strcmp(item, "seed") == 0)
        return read_seed(request, sign + 1, error);
    return unknown_field(kernel, item, error);
}

static void set_defaults(const struct kernel *kernel, struct request *request)
{
    *request = (struct request){.problem = problem_default(kernel)};
    for (size_t i = 0; i < kernel->field_count; i++) {
        int64_t initial = kernel->fields[i].initial;
        request->spans[i] = (struct span){.low = initial, .high = initial, .step = FACTOR, .multiply = true};
    }
}

/* Copies up to the next `separator` and steps behind it; *at becomes NULL when the text ends here. */
static bool next_part(const char **at, char separator, char part[ITEM_MAX])
{
    const char *end = strchr(*at, separator);
    size_t length = end ? (size_t)(end - *at) : strlen(*at);
    snprintf(part, ITEM_MAX, "%.*s", length < ITEM_MAX ? (int)length : ITEM_MAX - 1, *at);
    *at = end ? end + 1 : NULL;
    return length > 0 && length < ITEM_MAX;
}

/* Reads the text; sizes are within their fields' limits at both ends of their spans. */
static enum status request_read(const char *text, struct request *request, struct error *error)
{
    char part[ITEM_MAX];
    const char *at = text;
    if (!next_part(&at, ':', part))
        return fail(error, STATUS_INVALID, "\"%.100s\" names no kernel; KERNEL or KERNEL:FIELD=VALUE,…,TYPE does",
                    text);
    const struct kernel *kernel = kernel_by_name(part, error);
    if (!kernel)
        return STATUS_INVALID;
    set_defaults(kernel, request);
    while (at) {
        if (!next_part(&at, ',', part))
            return part[0] ? fail(error, STATUS_INVALID, "%s: a part of \"%.200s\" is too long", kernel->name, text)
                           : fail(error, STATUS_INVALID, "%s: a part of \"%.200s\" is empty", kernel->name, text);
        enum status status = read_item(request, part, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* STATUS_INVALID when an array of the problem does not fit. */
static enum status check(const struct problem *problem, struct error *error)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count;
    return kernel_describe(problem, arrays, &count, error);
}

enum status problem_parse(const char *text, struct problem *problem, struct error *error)
{
    struct request request;
    enum status status = request_read(text, &request, error);
    if (status != STATUS_OK)
        return status;
    if (request.has_range)
        return fail(error, STATUS_INVALID, "\"%.200s\": a range is several problems, and one is asked for here", text);
    status = problem_derive(&request.problem, request.given, error);
    if (status == STATUS_OK)
        status = check(&request.problem, error);
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
        enum status status = problem_derive(&problem, request->given, error);
        if (status == STATUS_OK)
            status = check(&problem, error);
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
        problem_derive(&problem, request.given, NULL); /* counting has seen that it can be done */
        made[i] = problem;
        next_problem(&request, &problem);
    }
    *problems = made;
    *count = found;
    return STATUS_OK;
}
