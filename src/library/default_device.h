/* The device that serves a user of the library or of the tool. */
#ifndef USKOR_LIBRARY_DEFAULT_DEVICE_H
#define USKOR_LIBRARY_DEFAULT_DEVICE_H

#include "backends/backend.h"

/* Opens the device called `name`; NULL and "auto" are the default device: the CPU, where a user's data are. Moving them
 * to a GPU costs more than most of these kernels take. Unless `described`, the cpu is opened without most of its
 * properties (cpu_open_bare). STATUS_INVALID for the null device. The caller closes it. */
enum status default_device_open(const char *name, bool described, struct device **device, struct error *error);

#endif
