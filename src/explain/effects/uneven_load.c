/* Load imbalance: within a warp, and between groups. */
#include "explain/effects/effect_kernel.h"

static const struct ladder_row rows[] = {
    {NULL, "explain/effects/lanes.cl", ""},
    {NULL, "explain/effects/groups.cl", ""},
};

EFFECT_COST(2 * 4 * EFFECT_TABLE_WORDS)

const struct effect effect_uneven_load = {
    .name = "uneven-load",
    .title = N_("uneven load, within a warp and between groups"),
    .lesson =
        N_("A warp lasts as long as its busiest item, so one item with the work of 32 takes 32 times as long. Groups "
           "that end early make room for others: between groups the hardware evens the load out."),
    .axis = N_("items, or groups, whose work one of them does"),
    .parameter = "SPREAD",
    .kernel = &(const struct kernel){EFFECT_KERNEL("uneven_load", rows), .describe = effect_describe_table,
                                     .check = effect_check_steps, .cost = cost},
    .size = 1 << 22,
    .size_cpu = 1 << 16,
};
