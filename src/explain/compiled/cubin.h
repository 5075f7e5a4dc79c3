/* The kernels' properties in a cubin (an ELF file of CUDA machine code): registers and local memory, from the sections
 * .nv.info, by kernel; the group's memory, from .nv.shared.<kernel>. */
#pragma once

#include <stddef.h>

#include "base/status.h"

struct cubin_kernel {
    int registers;       /* of an item */
    int stack_bytes;     /* of an item */
    int shared_bytes;    /* static, per group, without the system's share */
    int argument_offset; /* of the arguments in the first constant bank; 0: not said */
};

/* Reads the kernel `name` of the image. STATUS_INVALID when the bytes are not such a file or have no such kernel.
 * Nothing beyond `bytes` is read, whatever the file claims. */
enum status cubin_read(const void *image, size_t bytes, const char *name, struct cubin_kernel *kernel,
                       struct error *error);
