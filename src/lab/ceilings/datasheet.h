/* The datasheet's peaks of a device: the figure beside a measured ceiling, worked out from the architectures' tables
 * and the device's own properties. */
#ifndef USKOR_LAB_CEILINGS_DATASHEET_H
#define USKOR_LAB_CEILINGS_DATASHEET_H

#include "architectures/architectures.h"
#include "backends/backend.h"
#include "store/ceiling.h"

struct datasheet {
    double rate;   /* in the ceiling's unit; 0: not known */
    char how[128]; /* "132 units × 128 cores × 2 × 1980 MHz"; empty when not known */
};

/* `threads` of a cpu, one a core, which runs at up to `clock` GHz (0: not known). */
struct datasheet datasheet_of(const struct device *device, enum ceiling_kind kind, unsigned threads, double clock);

/* A CUDA device's row, through NVIDIA's OpenCL too; NULL for other devices and for what is not in the table. */
const struct capability *datasheet_capability(const struct device *device);

#endif
