/* The problems that a kernel's tuning measures. */
#pragma once

#include "kernels/kernel.h"

/* Of all kernels, or of one (not NULL), those that a device of this kind runs in a short time, mixed: any first part of
 * them covers all. The caller frees *problems with free(). */
enum status tuning_problems(const struct kernel *only, const struct device *device, struct problem **problems,
                            size_t *count, struct error *error);
