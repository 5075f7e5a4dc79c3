/* The rungs' measured costs: rung_costs.def, which tools/rung-costs makes from results/. */
#ifndef USKOR_KERNELS_RUNG_COSTS_H
#define USKOR_KERNELS_RUNG_COSTS_H

#include "kernels/kernel.h"

/* The kinds of device whose rankings of rungs have to do with each other. */
enum rung_place {
    PLACE_CPU,
    PLACE_CUDA,
    PLACE_OPENCL,     /* on a GPU */
    PLACE_OPENCL_CPU, /* PoCL: its ranking says nothing about a GPU */
    PLACE_COUNT,
};

struct rung_cost {
    enum rung_place place;
    struct problem problem;
    const char
        *rungs; /* "vector 1.00, shifted 1.59": fastest first, times over the fastest one's; NULL ends the list */
};

#define RUNG_COSTS_MAX 256

/* All of them, read on first use; a problem of a kernel that this program does not have is left out. Lives as long as
 * the program. */
const struct rung_cost *rung_costs(void);

#endif
