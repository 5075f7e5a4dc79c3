#include "cli/commands/try_job.h"

#include <string.h>

#include "base/message.h"
#include "kernels/rung_header.h"
#include "kernels/scope.h"

/* Items that the header's launch starts; 0: not known. */
static double items_of(const struct rung *rung, const struct problem *problem)
{
    struct parameters parameters = {0};
    struct scope scope = {.problem = problem, .rung = rung, .parameters = &parameters};
    const struct device_source *source = rung->source;
    double items = source->rank > 0;
    for (int axis = 0; axis < source->rank; axis++) {
        int64_t group, groups;
        struct error unused;
        if (scope_integer(&scope, source->group[axis], &group, &unused) != STATUS_OK ||
            scope_integer(&scope, source->groups[axis], &groups, &unused) != STATUS_OK)
            return 0;
        items *= (double)group * (double)groups;
    }
    return items;
}

/* Elements of the problem's largest output. */
static double elements_of(const struct problem *problem)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count;
    double most = 0;
    if (kernel_describe(problem, arrays, &count, NULL) != STATUS_OK)
        return 0;
    for (int i = 0; i < count; i++)
        if (arrays[i].direction != ARRAY_IN && (double)arrays[i].rows * (double)arrays[i].cols > most)
            most = (double)arrays[i].rows * (double)arrays[i].cols;
    return most;
}

/* Whether a source has a condition: the word `if` or a question mark, but in comments. */
static bool has_test(const char *text)
{
    static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    while (*text) {
        const char *end = text[0] == '/' && text[1] == '/'   ? strchr(text, '\n')
                          : text[0] == '/' && text[1] == '*' ? strstr(text + 2, "*/")
                                                             : text;
        const size_t word = strspn(text, letters);
        if (*text == '?' || (word == 2 && strncmp(text, "if", 2) == 0))
            return true;
        if (!end)
            return false;
        text = end > text ? end + 1 : text + (word ? word : 1);
    }
    return false;
}

void try_guess(const struct rung *rung, const struct problem *problem, struct measurement *wrong)
{
    static const char *const signs[] = {"wrote past the end", "read past the end"};
    bool is_past = false;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        is_past = is_past || strstr(wrong->reason, signs[i]);
    /* One that has a test has another mistake. */
    const double items = is_past && rung->source && !has_test(rung->source->text) ? items_of(rung, problem) : 0,
                 elements = elements_of(problem);
    if (items > elements && elements == 1)
        explain_more(wrong->reason, sizeof wrong->reason,
                     "; %.0f items were started for one element: begin with a test such as 'if (row >= rows) return;', "
                     "or state '// require: …'",
                     items);
    else if (items > elements && elements > 0)
        explain_more(wrong->reason, sizeof wrong->reason,
                     "; %.0f items were started for %.0f elements: begin with a test such as 'if (row >= rows) "
                     "return;', or state '// require: …'",
                     items, elements);
}
