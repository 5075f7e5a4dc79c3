#include "lab/bench/run_counts.h"

#include "base/clock.h"
#include "lab/bench/thread_clocks.h"

#define ENERGY_NS 0.1e9 /* the sensors' values change every 1 to 100 ms */

void run_counts_begin(const struct run_counts *counts, const struct device *device, struct run_begin *begin)
{
    begin->events.threads = 0;
    if (counts->is_wanted) {
        begin->sensors = device_sense(device, true);
        if (device->properties.is_cpu)
            processor_events_begin(&begin->events);
    }
    begin->now = clock_now();
    begin->processor = thread_clocks_processor();
}

int64_t run_counts_end(struct run_counts *counts, const struct device *device, struct run_begin *begin, unsigned runs)
{
    const int64_t used = thread_clocks_processor() - begin->processor;
    if (!counts->is_wanted)
        return used;
    const int64_t spent = clock_now() - begin->now;
    if (processor_events_end(&begin->events, counts->events))
        counts->event_runs += runs;
    const struct sensors now = device_sense(device, true);
    if (begin->sensors.joules > 0 && now.joules >= begin->sensors.joules) { /* a counter may begin anew */
        counts->joules += now.joules - begin->sensors.joules;
        counts->joules_ns += (double)spent;
    }
    counts->megahertz += now.clock_mhz;
    counts->readings += now.clock_mhz > 0;
    return used;
}

void run_counts_note(const struct run_counts *counts, struct measurement *measurement)
{
    const double time = measurement_summary(measurement, PHASE_COMPUTE).median;
    if (counts->readings > 0)
        measurement->clock_mhz = counts->megahertz / counts->readings;
    if (counts->joules_ns >= ENERGY_NS)
        measurement->joules = counts->joules / counts->joules_ns * time;
    if (counts->event_runs > 0) {
        measurement->cycles = counts->events[EVENT_CYCLES] / counts->event_runs;
        measurement->instructions = counts->events[EVENT_INSTRUCTIONS] / counts->event_runs;
    }
}
