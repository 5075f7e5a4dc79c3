#include "cli/commands/tune_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/commands/own_process.h"
#include "lab/transfers/bandwidth.h"

#define OPENINGS 3
#define OPENING_LIMIT_NS 20000000000

bool tune_transfers_known(const struct device *device, const char *path)
{
    struct transfers known;
    return transfers_of(device, &known) && strcmp(known.of.file, path) == 0;
}

/* The shortest of a few: a new process of this program that opens the device and ends. */
static enum status time_opening(const struct device *device, double *nanoseconds, struct error *error)
{
    const char *const arguments[] = {"tuned", "--device", device->id, "dot:n=16", NULL};
    *nanoseconds = INFINITY;
    for (int i = 0; i < OPENINGS; i++) {
        struct own_process process = {.arguments = arguments, .limit_ns = OPENING_LIMIT_NS};
        const int64_t begun = clock_now();
        if (own_process_run(&process) != 0)
            return fail(error, STATUS_FAILED, "%s: does not open in another process", device->id);
        *nanoseconds = fmin(*nanoseconds, (double)(clock_now() - begun));
    }
    return STATUS_OK;
}

/* The fastest copy of so many bytes between the device and pageable memory; 0: none was measured. */
static double fastest_copy(const struct measurement_list *list, const char *direction, size_t bytes)
{
    char problem[64];
    double fastest = INFINITY;
    snprintf(problem, sizeof problem, "bandwidth:%s,bytes=%zu,pageable", direction, bytes);
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (measurement->kind != MEASURED_PROBE && measurement->verdict == VERDICT_PASS &&
            strcmp(measurement->problem, problem) == 0)
            fastest = fmin(fastest, measurement_summary(measurement, PHASE_COMPUTE).median);
    }
    return isfinite(fastest) ? fastest : 0;
}

static void take_sizes(const struct measurement_list *list, const char *direction,
                       const struct bandwidth_options *options, struct transfer_sizes *sizes)
{
    for (size_t bytes = options->from; bytes <= options->to && sizes->count < TRANSFER_SIZES_MAX;
         bytes *= options->factor) {
        const double nanoseconds = fastest_copy(list, direction, bytes);
        if (!(nanoseconds > 0))
            continue;
        sizes->bytes[sizes->count] = (double)bytes;
        sizes->nanoseconds[sizes->count++] = nanoseconds;
    }
}

enum status tune_transfers(struct device *device, struct transfers *transfers, struct error *error)
{
    struct measurement_list list = {0};
    const struct bandwidth_options options = bandwidth_brief(device);
    *transfers = (struct transfers){.opening = 0};
    tuned_describe(device, 0, &transfers->of);
    enum status status = time_opening(device, &transfers->opening, error);
    if (status == STATUS_OK)
        status = lab_bandwidth(device, &options, &list, error);
    if (status == STATUS_OK) {
        take_sizes(&list, "to-device", &options, &transfers->to_device);
        take_sizes(&list, "from-device", &options, &transfers->from_device);
        if (!transfers->to_device.count || !transfers->from_device.count)
            status = fail(error, STATUS_UNAVAILABLE, "%s: no copy from or to pageable memory was measured", device->id);
    }
    measurement_list_free(&list);
    return status;
}
