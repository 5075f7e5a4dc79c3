/* Divergent branches. */
#include "explain/effects/effect_kernel.h"

static const struct ladder_row rows[] = {
    {NULL, "explain/effects/by-item.cl", ""},
    {NULL, "explain/effects/by-warp.cl", ""},
};

EFFECT_COST(2 * 4 * EFFECT_TABLE_WORDS)

const struct effect effect_divergence = {
    .name = "divergence",
    .title = N_("divergent branches"),
    .lesson =
        N_("A warp executes every branch that one of its items takes, one branch after another, while the other items "
           "wait. Branches that whole warps take cost nothing, so sort the work by warps."),
    .axis = N_("branches, of equal work"),
    .parameter = "PATHS",
    .kernel = &(const struct kernel){EFFECT_KERNEL("divergence", rows), .describe = effect_describe_table,
                                     .check = effect_check_steps, .cost = cost},
    .size = 1 << 22,
    .size_cpu = 1 << 16,
};
