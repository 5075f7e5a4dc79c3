#include "architectures/cores.h"

#include <strings.h>

#include "base/size.h"

const struct cpu_core cpu_cores[] = {
#define CORE(name, issue, window, misses, block, loads, vector_loads, stores, vector_stores, vector_accesses, floats, \
             additions, shuffles, integers, vectors, conversions, mispredicted, addition, multiplication, fma, load,  \
             vector_load, forwarded, conversion, crossing, masked, gathered, source, check)                           \
    {name,                                                                                                            \
     issue,                                                                                                           \
     window,                                                                                                          \
     misses,                                                                                                          \
     block,                                                                                                           \
     {loads, vector_loads, stores, vector_stores, vector_accesses, floats, additions, shuffles, integers, vectors,    \
      conversions},                                                                                                   \
     {mispredicted, addition, multiplication, fma, load, vector_load, forwarded, conversion, crossing, masked,        \
      gathered},                                                                                                      \
     SOURCE_##source,                                                                                                 \
     check},
#include "architectures/cores.def"
#undef CORE
};
const size_t cpu_cores_count = COUNT_OF(cpu_cores);

const struct cpu_core *cpu_core_by_name(const char *name)
{
    for (size_t i = 0; i < cpu_cores_count; i++)
        if (strcasecmp(cpu_cores[i].name, name) == 0)
            return &cpu_cores[i];
    return NULL;
}
