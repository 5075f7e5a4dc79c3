/* What disturbs a measurement on the CPU: the processor time that other programs use, and a quota that stops this one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/processors.h"

/* CPU time since boot, summed over all cores, ns: total, busy, and used by this process and its ended children. Zeros
 * where the system does not report it. */
struct processor_times {
    int64_t all, busy, own;
    struct processors_stops stops; /* by CPU quotas */
    int64_t now;                   /* clock_now() */
};

struct processor_times processor_times_now(void);

/* Cores that other programs used between the two moments, on average. The system counts in steps of 10 ms: 0 when less
 * than 250 ms of CPU time lies between them. */
double background_load_between(const struct processor_times *from, const struct processor_times *to);

/* More than so many cores, and a figure of the CPU is not the machine's alone. */
#define BACKGROUND_DISTURBS 0.2

/* Writes "noisy: …" where other programs, a quota or OpenMP's binding disturbed what was measured on the CPU between
 * the two moments; false where nothing did. */
bool background_warn(char *warnings, size_t size, const struct processor_times *from, const struct processor_times *to);
