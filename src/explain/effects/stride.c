/* Strided access to global memory. */
#include "explain/effects/effect_kernel.h"

static const struct ladder_row rows[] = {{NULL, "explain/effects/stride.cl", ""}};

const struct effect effect_stride = {
    .name = "stride",
    .title = N_("strided access to global memory"),
    .lesson = N_("A warp's 32 words of 4 bytes lie in 4 sectors of 32 bytes when neighbours take neighbouring words. "
                 "From a stride of 8 on they lie in 32 sectors. Memory moves whole sectors, so up to 7 of 8 bytes are "
                 "wasted; still longer strides cost still more."),
    .axis = N_("words from one item's word to its neighbour's"),
    .parameter = "STRIDE",
    .kernel = &(const struct kernel){EFFECT_KERNEL("stride", rows), .describe = effect_describe_two,
                                     .check = effect_check_increment, .cost = effect_cost},
    .size = 1 << 25,
    .size_cpu = 1 << 20,
};
