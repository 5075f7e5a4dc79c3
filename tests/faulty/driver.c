/* A CUDA driver and an OpenCL driver that do harm (harm.h). Places: load (a constructor), unload, init (the first
 * call); platform.c has more. */
#include <stdlib.h>

#include "backends/cuda/driver.h"
#include "harm.h"

#define EXPORT __attribute__((visibility("default")))

__attribute__((constructor)) static void load(void)
{
    harm("load");
}

__attribute__((destructor)) static void unload(void)
{
    harm("unload");
}

#define FUNCTION(name, version, optional, parameters) \
    EXPORT CUresult cu##name##version parameters;     \
    EXPORT CUresult cu##name##version parameters      \
    {                                                 \
        harm("init");                                 \
        return CUDA_ERROR_NO_DEVICE;                  \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
CUDA_DRIVER_FUNCTIONS(FUNCTION) /* NOLINT(misc-unused-parameters): none of them is looked at */
