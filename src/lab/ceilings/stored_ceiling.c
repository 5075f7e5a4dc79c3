#include "lab/ceilings/stored_ceiling.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lab/bench/core_latency.h"
#include "lab/ceilings/probes.h"

#define SPOT_SAMPLES 7
#define NO_ROUND UINT32_MAX

enum ceiling_kind stored_ceiling_kind(const struct rung *probe, const struct problem *problem)
{
    struct cost cost = problem->kernel->cost(problem);
    if (probe == &probe_fma)
        return problem->type == ELEMENT_F64 || problem->type == ELEMENT_C128 ? CEILING_FMA_F64 : CEILING_FMA_F32;
    if (tensor_products_of(probe->name))
        return CEILING_TENSOR_BF16;
    if (probe == &probe_copy)
        return CEILING_DRAM_COPY;
    if (probe == &probe_streams && cost.read_streams == 1 && cost.write_streams == 0)
        return CEILING_DRAM_READ;
    if (probe == &probe_streams && cost.read_streams == 2 && cost.write_streams == 1)
        return CEILING_DRAM_TRIAD;
    return CEILING_KINDS;
}

/* A few runs of the probe now. False when they failed. */
static bool spot_check(struct runner *probe, double *median)
{
    double samples[SPOT_SAMPLES];
    struct error why;
    struct summary summary;
    if (runner_warm_up(probe, false, &why) != STATUS_OK)
        return false;
    for (int i = 0; i < SPOT_SAMPLES; i++)
        if (runner_sample(probe, false, &samples[i], &why) != STATUS_OK)
            return false;
    if (!statistics_summarise(samples, SPOT_SAMPLES, &summary))
        return false;
    *median = summary.median;
    return true;
}

static bool scale_samples(const struct measurement *ceiling, double factor, struct samples *samples)
{
    const struct samples *kept = &ceiling->phases[PHASE_COMPUTE];
    for (size_t i = 0; i < kept->count; i++)
        if (!samples_add(samples, kept->items[i].nanoseconds * factor, NO_ROUND)) {
            samples->count = 0;
            return false;
        }
    return true;
}

static void say_so(const struct measurement *ceiling, char *text, size_t size)
{
    char when[32] = "";
    time_t made = (time_t)ceiling->made_at;
    struct tm utc;
    if (gmtime_r(&made, &utc))
        strftime(when, sizeof when, "%Y-%m-%d", &utc);
    snprintf(text, size, "stored: %s of %s, confirmed now", ceiling->rung, when);
}

/* The newest stored ceiling for the probe. Where a CPU's two threads may share a path to memory, the core latency must
 * match today's; arithmetic does not depend on it. */
static const struct measurement *ceiling_for(const struct device *device, const struct measurement_list *ceilings,
                                             enum ceiling_kind kind)
{
    const char *name = device->properties.name, *driver = device->properties.driver;
    unsigned threads = device->backend->kind == BACKEND_CPU ? (unsigned)omp_get_max_threads() : 0;
    if (threads == CORES_THREADS && ceiling_is_of_memory(kind))
        return ceiling_find_with_cores(ceilings, device->id, name, driver, threads, kind, core_latency());
    return ceiling_find(ceilings, device->id, name, driver, threads, kind);
}

bool stored_ceiling_serves(struct runner *probe, const struct measurement_list *ceilings, bool cold,
                           struct measurement *measurement)
{
    const struct device *device = probe->prepared.run.device;
    enum ceiling_kind kind = stored_ceiling_kind(probe->candidate.rung, probe->prepared.run.problem);
    if (!ceilings || cold || kind == CEILING_KINDS)
        return false;
    const struct measurement *ceiling = ceiling_for(device, ceilings, kind);
    double seen, work = ceiling_is_of_arithmetic(kind) ? measurement->operations : measurement->bytes;
    if (!ceiling || !ceiling_is_steady(ceiling, NULL) || !(ceiling->work > 0) || !spot_check(probe, &seen))
        return false;
    double factor = work / ceiling->work, expected = factor * measurement_summary(ceiling, PHASE_COMPUTE).median;
    if (fabs(seen / expected - 1) > KEPT_TOLERANCE ||
        !scale_samples(ceiling, factor, &measurement->phases[PHASE_COMPUTE]))
        return false;
    if (ceiling_is_of_memory(kind)) {
        measurement->core_latency = ceiling->core_latency;
        measurement->core_latency_low = ceiling->core_latency_low;
        measurement->core_latency_high = ceiling->core_latency_high;
    }
    say_so(ceiling, measurement->detail, sizeof measurement->detail);
    return true;
}
