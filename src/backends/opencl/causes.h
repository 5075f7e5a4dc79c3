/* Why OpenCL has no device here, or compiles nothing: causes that its drivers do not report. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The name of PoCL's platform. */
#define POCL_NAME "Portable Computing Language"

/* PoCL without a cache folder that it can write has no device and compiles nothing. True when that is so, with the
 * folder and the system's word in `why`: "cannot write /x/pocl/kcache: Permission denied". */
bool pocl_cache_is_shut(char *why, size_t size);

/* The same where its disk has less room than a few compiled kernels need: PoCL would end the process. */
bool pocl_cache_is_full(char *why, size_t size);

/* The fault in the drivers' registrations: "/etc/OpenCL/vendors/a.icd names '/x/liba.so', which does not load:
 * …", "…, which has no platform (CL_OUT_OF_HOST_MEMORY)", or that there are none; "" where nothing is wrong. */
void describe_registrations(char *text, size_t size);

/* Whether a registration, or the driver that one names, is a pipe or a device: OpenCL's loader would wait for it
 * without end. `why` receives which. */
bool registrations_are_endless(char *why, size_t size);
