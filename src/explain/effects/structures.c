/* Array of structures against structure of arrays. */
#include "explain/effects/effect_kernel.h"

static const struct ladder_row rows[] = {
    {NULL, "explain/effects/structures.cl", ""},
    {NULL, "explain/effects/arrays.cl", ""},
};

const struct effect effect_structures = {
    .name = "structures",
    .title = N_("array of structures against structure of arrays"),
    .lesson = N_("A kernel that uses one field of a structure of eight words moves all eight, unless each field has an "
                 "array of its own. Even where every field is used, each access to an array of structures touches "
                 "eight times as many sectors."),
    .axis = N_("words of the structure of 8 that an item uses at once"),
    .parameter = "USED",
    .kernel = &(const struct kernel){EFFECT_KERNEL("structures", rows), .describe = effect_describe_two,
                                     .check = effect_check_increment, .cost = effect_cost},
    .size = 1 << 25,
    .size_cpu = 1 << 20,
};
