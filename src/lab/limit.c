#include "lab/limit.h"

size_t limit_rungs(const struct problem *problem, const struct device *device, const struct rung *rungs[LIMITS_MAX])
{
    struct cost cost = problem->kernel->cost(problem);
    size_t count = 0;
    if (device_is_null(device))
        return 0;
    if (cost.bytes_read + cost.bytes_written >= 2)
        rungs[count++] = cost.read_streams == 1 && cost.write_streams == 1 ? &limit_copy : &limit_streams;
    return count;
}
