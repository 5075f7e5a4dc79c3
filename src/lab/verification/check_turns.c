#include "lab/verification/check_turns.h"

static bool serves(const struct rung *rung, const struct problem *problem, const struct device *device,
                   enum element_type type)
{
    struct problem other = *problem;
    struct parameters parameters;
    char reason[256];
    other.type = type;
    return rung_defaults(rung, &other, &parameters, NULL) == STATUS_OK &&
           !rung_refuses(rung, &other, device, &parameters, reason, sizeof reason);
}

static size_t choices_of(const struct problem *problem)
{
    size_t all = 0;
    for (size_t i = 0; i < problem->kernel->field_count; i++)
        if (problem->kernel->fields[i].kind == FIELD_CHOICE && !problem->kernel->fields[i].host_only)
            all += (size_t)problem->values[i].size;
    return all;
}

bool check_has_turn(const struct rung *rung, size_t rung_number, const struct problem *problem,
                    const struct device *device)
{
    const struct kernel *kernel = problem->kernel;
    const size_t bytes = element_info(problem->type)->bytes;
    size_t alike = 0, own = 0;
    if (!serves(rung, problem, device, problem->type))
        return true;
    for (size_t i = 0; i < kernel->type_count; i++)
        if (element_info(kernel->types[i])->bytes == bytes && serves(rung, problem, device, kernel->types[i])) {
            own = kernel->types[i] == problem->type ? alike : own;
            alike++;
        }
    if (own != rung_number % alike)
        return false;
    return problem->type == kernel->types[0] || (choices_of(problem) + rung_number / alike) % 2 == 0;
}
