/* The pictures that a problem begins with. */
#pragma once

#include "kernels/kernel.h"

/* Names; NULL-terminated. */
extern const char *const resize_inputs[];

/* kernel->fill. In every picture the four channels differ, so that one taken for another shows. */
void resize_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);
