/* Problems from a text. */
#include <stdlib.h>

#include "kernels/problem_derive.h"
#include "kernels/request.h"

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
