/* The backends' tables: each is defined in its own folder, and backend_list.c lists them. */
#pragma once

#include "backends/backend.h"

extern const struct backend backend_cpu;
extern const struct backend backend_opencl;
extern const struct backend backend_cuda;
extern const struct backend backend_opengl;
extern const struct backend backend_null;
