/* The core's clocks of a thread's run, from windows of its trace (core_window.h). At first each part of the trace is
 * such a window; later ever fewer are, and each counts for those between (systematic sampling as in SMARTS: Wunderlich
 * and others, 2003). */
#pragma once

#include "explain/cache/core_steps.h"
#include "explain/cache/thread_area.h"

/* Which instructions were executed between two accesses of a trace, as the code leads from one to the other. */

#define CORE_PATH_MOST 512      /* instructions */
#define CORE_NOWHERE UINT32_MAX /* no instruction */

struct core_path {
    uint32_t *steps; /* instructions by number, in order, without both accesses */
    uint32_t count;
};
struct core_paths;

struct core_total {
    double records, accesses, instructions, clocks, mispredicted; /* all as if every record had been in a window */
};

struct core_sample;

/* For one thread; the first three stay the caller's; `share` is that of core_window.h. NULL when memory is out. */
struct core_sample *core_sample_create(const struct code_copy *copy, const struct core_step *steps,
                                       const struct cpu_core *core, double share);
void core_sample_destroy(struct core_sample *sample);

/* Consecutive accesses of the thread. */
void core_sample_take(struct core_sample *sample, const struct area_record *records, size_t count);

/* Counts from nothing; what branches did is remembered. */
void core_sample_reset(struct core_sample *sample);

struct core_total core_sample_total(const struct core_sample *sample);
