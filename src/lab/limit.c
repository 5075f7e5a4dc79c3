#include "lab/limit.h"

#include <string.h>

/* Fewer operations than this for each byte, and no machine computes longer than it moves. */
#define LEAST_INTENSITY 1.0

static bool is_floating(enum element_type type)
{
    return type == ELEMENT_F32 || type == ELEMENT_F64 || type == ELEMENT_C64 || type == ELEMENT_C128;
}

size_t limit_rungs(const struct problem *problem, const struct device *device, const struct rung *rungs[LIMITS_MAX])
{
    struct cost cost = problem->kernel->cost(problem);
    double bytes = cost.bytes_read + cost.bytes_written;
    size_t count = 0;
    if (device_is_null(device))
        return 0;
    if (bytes >= 2)
        rungs[count++] = cost.read_streams == 1 && cost.write_streams == 1 ? &limit_copy : &limit_streams;
    if (is_floating(problem->type) && cost.operations > LEAST_INTENSITY * bytes)
        rungs[count++] = &limit_fma;
    return count;
}

bool limit_is_of_memory(const char *rung)
{
    return strcmp(rung, limit_fma.name) != 0;
}
