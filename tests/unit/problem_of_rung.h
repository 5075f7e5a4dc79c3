/* The problem that a rung is compiled, recorded or simulated with. */
#pragma once

#include <string.h>

#include "kernels/kernel.h"
#include "parsed.h"

/* The kernel's default; for a rung of products with vectors, of a small depth, of first indices or in place, such a
 * one. Kernel and rung are borrowed. */
static inline struct problem problem_of_rung(const struct kernel *kernel, const struct rung *rung)
{
    struct problem problem = problem_default(kernel);
    if (strcmp(rung->name, "matrix-vector") == 0)
        problem_set_size(&problem, "n", 3);
    if (strstr(rung->name, "-shallow"))
        problem_set_size(&problem, "k", 100);
    if (strcmp(rung->name, "select") == 0)
        problem = parsed("sort:values=index32,top=100");
    if (strcmp(rung->name, "mirrored") == 0)
        problem = parsed("transpose:inplace=yes");
    return problem;
}
