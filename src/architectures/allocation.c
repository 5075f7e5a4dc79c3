#include "architectures/allocation.h"

#include <stdio.h>

#include "base/size.h"

static const struct allocation allocations[] = {
#define ALLOCATION(from, to, by_group, register_unit, warp_unit, item, group, local_unit, reserved, source, check) \
    {from, to, by_group, register_unit, warp_unit, item, group, local_unit, reserved, SOURCE_##source, FIGURE_##check},
#include "architectures/allocations.def"
#undef ALLOCATION
};

int compute_of(const char *version)
{
    int major, minor, end = 0;
    if (sscanf(version, "%2d.%1d%n", &major, &minor, &end) != 2 || version[end] || major < 1 || minor < 0)
        return 0;
    return major * 10 + minor;
}

const struct allocation *allocation_of(int compute)
{
    for (size_t i = 0; i < COUNT_OF(allocations); i++)
        if (allocations[i].from <= compute && compute <= allocations[i].to)
            return &allocations[i];
    return NULL;
}
