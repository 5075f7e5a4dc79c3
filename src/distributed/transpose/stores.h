/* What the fused transposes have in common: their kernel stores each tile in the memory of the device that owns it. */
#pragma once

#include "distributed/transpose/transpose.h"

struct stores {
    struct program *programs[GROUP_MAX];
    struct buffer places[GROUP_MAX]; /* per device the address of its output rows, then the first of them, then cols */
    size_t down, across;             /* elements of a tile */
};

/* Builds the program on every device and writes the places. The caller calls stores_finish, on failure too. */
enum status stores_make(struct device_run *run, const struct program_source *source, struct error *error);
void stores_finish(struct device_run *run);
