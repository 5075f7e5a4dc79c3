#include "architectures/caches.h"

#include <strings.h>

#include "base/size.h"

const struct cpu_caches cpu_caches[] = {
#define CACHES(name, line, kib1, ways1, kib2, ways2, kib3, ways3, cores, is_victim, clocks1, clocks2, clocks3, small, \
               small_ways, large, large_ways, second, second_ways, source, check)                                     \
    {name,                                                                                                            \
     line,                                                                                                            \
     {{kib1, ways1}, {kib2, ways2}, {kib3, ways3}},                                                                   \
     cores,                                                                                                           \
     is_victim,                                                                                                       \
     {clocks1, clocks2, clocks3},                                                                                     \
     {small, small_ways},                                                                                             \
     {large, large_ways},                                                                                             \
     {second, second_ways},                                                                                           \
     SOURCE_##source,                                                                                                 \
     check},
#include "architectures/caches.def"
#undef CACHES
};
const size_t cpu_caches_count = COUNT_OF(cpu_caches);

const struct cpu_caches *cpu_caches_by_name(const char *name)
{
    for (size_t i = 0; i < cpu_caches_count; i++)
        if (strcasecmp(cpu_caches[i].name, name) == 0)
            return &cpu_caches[i];
    return NULL;
}
