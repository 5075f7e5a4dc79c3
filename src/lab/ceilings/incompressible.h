/* Noise for the probes' arrays, so that nothing between the chip and the memory can compress them. */
#ifndef USKOR_LAB_CEILINGS_INCOMPRESSIBLE_H
#define USKOR_LAB_CEILINGS_INCOMPRESSIBLE_H

#include "backends/backend.h"

/* Fills the buffer: 1 MiB from the generator, doubled on the device. */
enum status noise_fill(const struct buffer *buffer, struct error *error);

#endif
