/* The size of groups. */
#include "explain/effects/effect_kernel.h"

static const struct ladder_row rows[] = {{NULL, "explain/effects/group-size.cl", ""}};

const struct effect effect_group_size = {
    .name = "group-size",
    .title = N_("the size of groups"),
    .lesson =
        N_("A group occupies whole warps of 32 items, and a multiprocessor holds a limited number of groups: small "
           "groups leave lanes and warps empty. Groups of 256 items are a good start."),
    .axis = N_("items in a group"),
    .parameter = "GROUP",
    .kernel = &(const struct kernel){EFFECT_KERNEL("group_size", rows), .describe = effect_describe_two,
                                     .check = effect_check_increment, .cost = effect_cost},
    .size = 1 << 24,
    .size_cpu = 1 << 16,
};
