#include "lab/verification/check_companions.h"

#include "lab/verification/check.h"

static bool has_same_program(const struct problem *a, const struct problem *b)
{
    if (a->kernel != b->kernel || a->type != b->type)
        return false;
    for (size_t i = 0; i < a->kernel->field_count; i++) {
        const struct problem_field *field = &a->kernel->fields[i];
        const int64_t x = a->values[i].size, y = b->values[i].size;
        if (field->kind == FIELD_CHOICE && !field->host_only && x != y)
            return false;
        if (field->unless_taken && (x == field->initial) != (y == field->initial))
            return false;
    }
    return true;
}

bool check_is_companion(const struct problem *problems, size_t count, size_t first, size_t index)
{
    size_t others = 0, rank = 0;
    if (first == index || !check_is_light(&problems[index]) || !has_same_program(&problems[first], &problems[index]))
        return false;
    for (size_t i = 0; i < count; i++)
        if (i != first && check_is_light(&problems[i]) && has_same_program(&problems[first], &problems[i])) {
            rank += i < index;
            others++;
        }
    /* Turned by `first`, as the programs of one type shall not all meet the same few. */
    rank = (rank + first) % others;
    return rank * CHECK_COMPANIONS / others != (rank + others - 1) % others * CHECK_COMPANIONS / others ||
           others <= CHECK_COMPANIONS;
}
