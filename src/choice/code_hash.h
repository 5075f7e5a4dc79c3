/* A hash of the code that a rung runs, so that a time measured of other code is known to be one. */
#pragma once

#include <stdint.h>

#include "kernels/kernel.h"

/* Of a C file of a kernel, "sort/radix.c"; the table ends with NULL. Made by cmake/code_hashes.cmake. */
struct code_file {
    const char *path;
    uint32_t hash;
};

extern const struct code_file code_files[];

/* Of the rung's device source, and of its kernel's C files whose names begin with the rung's; 0 where it has none. What
 * several rungs share is not in it. */
uint32_t code_hash(const struct kernel *kernel, const struct rung *rung);
