#include "lab/verification/check_fields.h"

#include <string.h>

#include "lab/verification/check_draws.h"

size_t check_sides(const struct kernel *kernel)
{
    size_t sides = 0;
    for (size_t i = 0; i < kernel->field_count; i++)
        sides += check_draw_is_side(kernel, &kernel->fields[i]);
    return sides;
}

size_t check_input(const struct kernel *kernel, const char *name, int64_t *choice)
{
    for (size_t i = 0; i < kernel->field_count; i++)
        for (int64_t k = 0; strcmp(kernel->fields[i].name, "input") == 0 && kernel->fields[i].choices[k]; k++)
            if (strcmp(kernel->fields[i].choices[k], name) == 0) {
                *choice = k;
                return i;
            }
    return SIZE_MAX;
}

bool check_set_exact(struct problem *problem)
{
    int64_t choice;
    const size_t field = check_input(problem->kernel, "integers", &choice);
    if (field != SIZE_MAX)
        problem->values[field].size = choice;
    return field != SIZE_MAX;
}

size_t check_combine(const struct kernel *kernel, size_t which, struct problem *problem)
{
    size_t combinations = 1;
    for (size_t i = 0; i < kernel->field_count; i++) {
        const struct problem_field *field = &kernel->fields[i];
        size_t choices = 0;
        while (field->kind == FIELD_CHOICE && !field->host_only && !field->unless_taken && field->choices[choices])
            choices++;
        if (choices == 0)
            continue;
        problem->values[i].size = (int64_t)(which / combinations % choices);
        combinations *= choices;
    }
    return combinations;
}
