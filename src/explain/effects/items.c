/* The number of items. */
#include "explain/effects/effect_kernel.h"

static const struct ladder_row rows[] = {{NULL, "explain/effects/items.cl", ""}};

const struct effect effect_items = {
    .name = "items",
    .title = N_("the number of items"),
    .lesson = N_("A load takes hundreds of clocks, and only other items' loads fill that time. Bandwidth grows with "
                 "the items until enough bytes are in flight (Little's law). A GPU needs tens of thousands of items."),
    .axis = N_("items that share the work"),
    .parameter = "ITEMS",
    .kernel = &(const struct kernel){EFFECT_KERNEL("items", rows), .describe = effect_describe_two,
                                     .check = effect_check_increment, .cost = effect_cost},
    .size = 1 << 24,
    .size_cpu = 1 << 20,
};
