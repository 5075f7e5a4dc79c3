#include "lab/limit.h"

#include <string.h>

#include "store/ceiling.h"

/* Fewer operations than this for each byte, and no machine computes longer than it moves. */
#define LEAST_INTENSITY 1.0

static bool is_floating(enum element_type type)
{
    return type == ELEMENT_F32 || type == ELEMENT_F64 || type == ELEMENT_C64 || type == ELEMENT_C128;
}

/* The tensor cores' probe for a contender; NULL when it has none there. */
static const struct rung *tensor_probe(const struct contender *contender, const struct problem *problem)
{
    char reason[256];
    unsigned products = contender->rung->tensor_products;
    if (!products ||
        rung_refuses(contender->rung, problem, contender->device, &contender->parameters, reason, sizeof reason))
        return NULL;
    return &limit_tensor[products - 1];
}

static size_t add_once(const struct rung *probe, size_t count, const struct rung *rungs[LIMITS_MAX])
{
    for (size_t i = 0; i < count; i++)
        if (rungs[i] == probe)
            return count;
    rungs[count] = probe;
    return count + 1;
}

size_t limit_rungs(const struct problem *problem, const struct device *device, const struct contender *contenders,
                   size_t count, const struct rung *rungs[LIMITS_MAX])
{
    struct cost cost = problem->kernel->cost(problem);
    double bytes = cost.bytes_read + cost.bytes_written;
    size_t found = 0;
    if (device_is_null(device))
        return 0;
    if (bytes >= 2)
        rungs[found++] = cost.read_streams == 1 && cost.write_streams == 1 ? &limit_copy : &limit_streams;
    if (!is_floating(problem->type) || cost.operations <= LEAST_INTENSITY * bytes)
        return found;
    rungs[found++] = &limit_fma;
    for (size_t i = 0; i < count; i++) {
        const struct rung *probe = contenders[i].device == device ? tensor_probe(&contenders[i], problem) : NULL;
        if (probe)
            found = add_once(probe, found, rungs);
    }
    return found;
}

bool limit_holds(const struct rung *rung, const struct rung *probe)
{
    return limit_is_of_memory(probe->name) || tensor_products_of(probe->name) == rung->tensor_products;
}

double limit_operations(const struct rung *probe, const struct problem *problem)
{
    unsigned products = tensor_products_of(probe->name);
    return problem->kernel->cost(problem).operations * (products ? products : 1);
}

bool limit_is_of_memory(const char *rung)
{
    return strcmp(rung, limit_fma.name) != 0 && !tensor_products_of(rung);
}
