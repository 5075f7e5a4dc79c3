/* What this process has of the machine: only what it may use, as far as the system tells. */
#ifndef USKOR_BACKENDS_CPU_MACHINE_H
#define USKOR_BACKENDS_CPU_MACHINE_H

#include "backends/backend.h"

/* Processors that this process may run on (its affinity), at least 1. */
int machine_processors(void);

/* Bytes of memory: the machine's, or the control group's limit where that is lower. */
uint64_t machine_memory_bytes(void);

/* Fills name, vendor, driver, version, units, memory, cache, clock and vector width. */
void machine_describe(struct device_properties *properties);

#endif
