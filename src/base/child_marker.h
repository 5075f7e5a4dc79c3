/* A child's first argument: which files it was given, by whom. */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct child_marker {
    unsigned channel, memory, parent;
    uint64_t token;
};

#define CHILD_MARKER "--in-a-process-of-its-own="

static inline void child_marker_write(const struct child_marker *marker, char *text, size_t size)
{
    snprintf(text, size, CHILD_MARKER "%u,%u,%u,%" PRIx64, marker->channel, marker->memory, marker->parent,
             marker->token);
}

static inline bool child_marker_read(const char *text, struct child_marker *marker)
{
    return sscanf(text, CHILD_MARKER "%u,%u,%u,%" SCNx64, &marker->channel, &marker->memory, &marker->parent,
                  &marker->token) == 4;
}
