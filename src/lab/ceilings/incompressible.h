/* Fills the probes' arrays with noise, so that no hardware on the way to memory can compress them. */
#pragma once

#include "backends/backend.h"

/* Fills the buffer: 1 MiB from the random generator, then doubled by copies on the device. */
enum status noise_fill(const struct buffer *buffer, struct error *error);
