#include "cli/ceilings.h"

#include <omp.h>

#include "cli/command.h"
#include "lab/ceiling.h"

/* On the clock for each ceiling when nobody has asked for it. */
#define BRIEF_SECONDS 0.08

static void warn(enum status status, struct error *why)
{
    measuring_progress_end();
    fail_in(why, status, "warning: ceilings");
    report_error(status, why);
}

void ceilings_load(struct measuring *measuring)
{
    struct error why;
    struct store_filter filter = {.kernel = CEILING_KERNEL, .all = true};
    measuring->options.ceilings = &measuring->ceilings;
    if (!measuring->store)
        return;
    enum status status = store_this_machine(measuring->store, &filter.machine, &why);
    if (status == STATUS_OK)
        status = store_measurements(measuring->store, &filter, &measuring->ceilings, &why);
    if (status != STATUS_OK)
        warn(status, &why);
}

/* A measurement and the ceiling that it stands for, into the store at once. */
static void keep(void *context, struct measurement *measurement)
{
    struct measuring *measuring = context;
    struct ceiling ceiling;
    struct error why;
    measuring_keep(measuring, measurement);
    if (!measuring->store || !ceiling_of(measurement, &ceiling))
        return;
    enum status status = store_put_ceiling(measuring->store, &ceiling, &why);
    if (status != STATUS_OK)
        warn(status, &why);
}

enum status ceilings_measure(struct measuring *measuring, struct device *device, double seconds,
                             bool every_thread_count, struct error *error)
{
    const struct ceiling_options options = {
        .seconds = seconds,
        .every_thread_count = every_thread_count,
        .progress = measuring_progress,
        .finished = keep,
        .finished_context = measuring,
    };
    enum status status = lab_ceilings(device, &options, &measuring->ceilings, error);
    measuring_progress_end();
    return status;
}

bool ceilings_known(const struct measuring *measuring, const struct device *device)
{
    unsigned threads = device->backend->kind == BACKEND_CPU ? (unsigned)omp_get_max_threads() : 0;
    return ceiling_find(&measuring->ceilings, device->id, device->properties.name, device->properties.driver, threads,
                        CEILING_DRAM_COPY) != NULL;
}

enum status ceilings_ensure(struct measuring *measuring, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t d = 0; status == STATUS_OK && d < measuring->selection.device_count; d++) {
        struct device *device = measuring->selection.devices[d];
        if (!device_is_null(device) && !ceilings_known(measuring, device))
            status = ceilings_measure(measuring, device, BRIEF_SECONDS, false, error);
    }
    return status;
}
