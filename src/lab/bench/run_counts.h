/* What timed runs use besides their time: CPU time, and where it is asked for, energy, clocks, cycles and instructions.
 */
#pragma once

#include <stdint.h>

#include "backends/sensors.h"
#include "lab/bench/processor_events.h"
#include "store/measurement.h"

/* Sums over the runs of one runner. All zero: nothing is counted yet, or nothing is asked for. */
struct run_counts {
    bool is_wanted;
    double joules, joules_ns, megahertz, readings, events[EVENT_COUNT], event_runs;
};

struct run_begin {
    int64_t processor, now; /* clock_processor(), clock_now() */
    struct sensors sensors;
    struct processor_events events;
};

/* Directly before and after consecutive runs; only the CPU time is read unless more is wanted. Returns the ns of CPU
 * time that the runs used. */
void run_counts_begin(const struct run_counts *counts, const struct device *device, struct run_begin *begin);
int64_t run_counts_end(struct run_counts *counts, const struct device *device, struct run_begin *begin, unsigned runs);

/* Writes the means of one run into the measurement. Energy is left out where the runs together are too short for the
 * sensors' steps. */
void run_counts_note(const struct run_counts *counts, struct measurement *measurement);
