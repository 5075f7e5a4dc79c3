/* A device's datasheet peaks, shown beside the measured ceilings. They follow from the architectures' tables and the
 * device's own properties. */
#pragma once

#include "architectures/architectures.h"
#include "backends/backend.h"
#include "store/ceiling.h"

struct datasheet {
    double rate;   /* in the ceiling's unit; 0: not known */
    char how[128]; /* "132 units × 128 cores × 2 × 1980 MHz"; empty when not known */
};

/* The peak of one ceiling. `threads`: the CPU's threads, one per core, which run at `clock` GHz at most (0: unknown).
 */
struct datasheet datasheet_of(const struct device *device, enum ceiling_kind kind, unsigned threads, double clock);

/* The table's row for an NVIDIA GPU, through CUDA or OpenCL; NULL for other devices and for GPUs that are not in the
 * table. */
const struct capability *datasheet_capability(const struct device *device);
