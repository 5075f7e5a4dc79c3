/* What L1 keeps: loads that pass it by, and its share of the store that local memory is in. */
#include "explain/effects/effect_kernel.h"

#define GROUP_WORDS 4096 /* of in; must match the kernels, as must the items and the reads */
#define GROUP_ITEMS 256
#define READS 65536

static const struct ladder_row rows[] = {{NULL, "explain/effects/through-l1.cl", ""},
                                         {NULL, "explain/effects/past-l1.cl", ""},
                                         {NULL, "explain/effects/beside-local.cl", ""}};

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    effect_describe_two(problem, arrays);
    arrays[1].cols /= GROUP_WORDS / GROUP_ITEMS;
    return 2;
}

static struct cost cost(const struct problem *problem)
{
    double groups = (double)problem_size(problem, "n") / GROUP_WORDS;
    return (struct cost){.bytes_read = 4 * groups * GROUP_ITEMS,
                         .bytes_written = 4 * groups * GROUP_ITEMS,
                         .operations = groups * READS,
                         .read_streams = 1,
                         .write_streams = 1};
}

const struct effect effect_cached_loads = {
    .name = "cached-loads",
    .title = N_("loads through L1, past it, and beside local memory"),
    .lesson =
        N_("Data that a group reads again come from L1 as long as they fit; a load that bypasses L1 costs L2's rate "
           "each time. L1 and local memory share one store, so the local memory that groups hold makes L1 smaller."),
    .axis = N_("KiB that each group reads again"),
    .parameter = "KIB",
    .kernel = &(const struct kernel){EFFECT_KERNEL("cached_loads", rows), .describe = describe,
                                     .check = effect_check_increment, .cost = cost},
    .size = 1 << 23,
    .size_cpu = 1 << 18,
    .is_not_predicted = true,
};
