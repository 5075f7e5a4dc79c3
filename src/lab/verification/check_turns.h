/* A device compiles a rung for each type and each choice. Where few sizes are checked, its rungs take turns at them. */
#pragma once

#include "kernels/kernel.h"

/* Whether the rung, which is number `rung_number` of its ladder, is checked on this problem. Of the types of one size
 * that it serves it has one. Of the kernel's first type it has every combination of the choices that its program knows,
 * of other types every second one. A problem that it refuses is always its turn: the refusal is told. */
bool check_has_turn(const struct rung *rung, size_t rung_number, const struct problem *problem,
                    const struct device *device);
