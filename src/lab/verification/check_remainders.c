#include "lab/verification/check_remainders.h"

#include "lab/verification/check_draws.h"

/* Two sides' multipliers are odd, so each meets all remainders; they differ, so that the remainders do. */
static int64_t length(size_t index, size_t side, size_t sides)
{
    const size_t tiles = (sides < 3 ? 4 : 2) + (index + side) % 3;
    return (int64_t)(tiles * CHECK_REMAINDERS + (index * (2 * side + 1) + 5 * side) % CHECK_REMAINDERS);
}

bool check_remainder(const struct kernel *kernel, enum element_type type, size_t index, struct problem *problem)
{
    size_t sides = 0, side = 0;
    for (size_t i = 0; i < kernel->field_count; i++)
        sides += check_draw_is_side(kernel, &kernel->fields[i]);
    *problem = problem_default(kernel);
    problem->type = type;
    problem->seed = (uint32_t)index + 1;
    for (size_t i = 0; i < kernel->field_count; i++)
        if (check_draw_is_side(kernel, &kernel->fields[i]))
            problem->values[i].size = length(index, side++, sides);
    return !kernel->imply || kernel->imply(problem, NULL, NULL) == STATUS_OK;
}
