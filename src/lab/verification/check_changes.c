#include "lab/verification/check_changes.h"

#include "lab/verification/check_draws.h"

#define SIDE 24 /* of the small problem; sides differ from each other */

static struct problem small_problem(const struct kernel *kernel, enum element_type type)
{
    struct problem problem = problem_default(kernel);
    int64_t side = SIDE;
    problem.type = type;
    for (size_t i = 0; i < kernel->field_count; i++)
        if (check_draw_is_side(kernel, &kernel->fields[i]))
            problem.values[i].size = side++;
        else if (kernel->fields[i].kind == FIELD_REAL && kernel->fields[i].initial_real == 0)
            problem.values[i].real = 0.5; /* a factor of 0 hides what it multiplies */
    return problem;
}

static void change(const struct problem_field *field, union field_value *value)
{
    if (field->kind == FIELD_REAL)
        value->real = value->real / 2 + 0.0625;
    else if (field->kind == FIELD_CHOICE)
        value->size = value->size == 0;
    else
        value->size += value->size + 3 <= field->maximum ? 3 : -3;
}

size_t check_changes(const struct kernel *kernel, enum element_type type, struct problem *list)
{
    struct problem small = small_problem(kernel, type);
    size_t made = 0;
    if (kernel->imply && kernel->imply(&small, NULL, NULL) != STATUS_OK)
        return 0;
    list[made++] = small;
    for (size_t i = 0; i < kernel->field_count; i++) {
        struct problem changed = small;
        if (kernel->fields[i].host_only)
            continue;
        change(&kernel->fields[i], &changed.values[i]);
        if (kernel->imply && kernel->imply(&changed, NULL, NULL) != STATUS_OK)
            continue;
        list[made++] = changed;
        list[made++] = small;
    }
    return made;
}
