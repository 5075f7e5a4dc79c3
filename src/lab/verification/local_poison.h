/* Poison in the local memory of a device's units. Local memory keeps what the groups before have left there: zeros, or
 * the right values of the same rung's last run. A rung that reads what it has not written would be right by chance. */
#pragma once

#include "backends/backend.h"

/* A zeroed one is empty. */
struct local_poison {
    struct program *program;
    struct buffer sink;
    bool is_tried;
};

/* Enqueues a launch that fills local memory with the byte, in enough groups for every unit; the first call compiles
 * it. Nothing happens on other devices than CUDA's and OpenCL's, where the kernel cannot be built, and without
 * canaries. */
enum status local_poison_fill(struct local_poison *poison, struct device *device, unsigned char byte,
                              struct error *error);
void local_poison_end(struct local_poison *poison);
