/* A device that is full, /dev/full, for what is written to a stream. */
#pragma once

#include <stdio.h>

/* `write`, to `stream`, says that nothing arrives. */
#define FULL(write)                              \
    do {                                         \
        FILE *stream = fopen("/dev/full", "we"); \
        assert_non_null(stream);                 \
        assert_false(write);                     \
        fclose(stream);                          \
    } while (0)
