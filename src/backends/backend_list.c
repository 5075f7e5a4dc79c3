/* All backends. Alone in its file, as the C library has a list of its own (src/library/standalone). */
#include "backends/all.h"

const struct backend *const backends[] = {
    &backend_cpu, &backend_opencl, &backend_cuda, &backend_opengl, &backend_null, NULL,
};
