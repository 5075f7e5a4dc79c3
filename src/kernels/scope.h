/* The names that an expression in a rung's header may use, and their values: the problem's fields, element_bytes,
 * epsilon (half a unit in the last place of 1 in the element type; 0 for integers), the tunables, and in requirements
 * what the device has: compute (CUDA's compute capability, 9.0; 0 elsewhere) and local_bytes (local memory that a group
 * has without asking). */
#pragma once

#include "kernels/kernel.h"

struct scope {
    const struct problem *problem;
    const struct rung *rung;             /* whose tunables are visible; NULL: none */
    const struct parameters *parameters; /* their values */
    const struct device *device;         /* NULL: its names are unknown */
    char unknown[64];                    /* the name that was not found; set by the lookup */
};

/* As the expression_ functions do it; an unknown name gets the closest match. */
enum status scope_integer(struct scope *scope, const char *expression, int64_t *value, struct error *error);
enum status scope_real(struct scope *scope, const char *expression, double *value, struct error *error);
enum status scope_check(struct scope *scope, const char *expression, struct error *error);
