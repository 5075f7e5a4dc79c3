/* uskor tune: what it costs to use a device (choice/transfers.h). */
#pragma once

#include "choice/transfers.h"

/* Whether the file at `path` has it of this device and its driver. */
bool tune_transfers_known(const struct device *device, const char *path);

/* Measures it, in about three seconds; copies are verified. */
enum status tune_transfers(struct device *device, struct transfers *transfers, struct error *error);
