/* Transfers from pageable and from pinned memory. */
#include "explain/effects/effect_kernel.h"

const struct effect effect_pinned = {
    .name = "pinned",
    .title = N_("transfers from pageable and from pinned memory"),
    .lesson =
        N_("The device fetches pinned memory by itself; pageable memory is copied first, piece by piece, through a "
           "buffer that the driver has pinned. Small transfers take as long as their start, whatever the memory."),
    .axis = N_("bytes to the device"),
    .parameter = "BYTES",
};
