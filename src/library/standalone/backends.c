/* The backends that the C library has. */
#include "backends/all.h"

const struct backend *const backends[] = {&backend_cpu, &backend_opencl, &backend_cuda, NULL};
