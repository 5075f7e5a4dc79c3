/* The launch whose threads are executed from their machine code. */
#pragma once

#include "explain/compiled/recorder.h"
#include "explain/machine/memory.h"

struct machine_request {
    const char *listing;                  /* nvdisasm's */
    const char *source;                   /* the program's, for the arguments' names */
    const struct recorded_launch *launch; /* its arguments are those of the first of its kind */
    size_t constant_offset;               /* of the arguments in the first constant bank */
    int compute;                          /* 90 for 9.0 */
    const struct machine_buffer *buffers; /* whose contents are known; others' are not */
    size_t buffer_count;
};
