#include "cli/commands/ceiling_selection.h"

#include <omp.h>

#include "lab/ceilings/ceiling.h"

/* Default seconds of measurement for each ceiling. */
#define BRIEF_SECONDS 0.08
#define BRIEF_CEILINGS 20.0 /* seconds that all of a device are estimated to take */

/* A measurement and the ceiling that it stands for, into the store at once; not what later runs could not use. */
static void keep(void *context, struct measurement *measurement)
{
    struct bench_session *session = context;
    struct ceiling ceiling;
    struct error why;
    if (measurement->verdict == VERDICT_PASS && !ceiling_lasts(measurement))
        return;
    bench_session_keep(session, measurement);
    if (!session->store || !ceiling_of(measurement, &ceiling))
        return;
    if (store_put_ceiling(session->store, &ceiling, &why) != STATUS_OK)
        bench_session_lose_store(session, &why);
}

enum status ceilings_measure(struct bench_session *session, struct device *device, double seconds,
                             bool every_thread_count, struct error *error)
{
    const struct ceiling_options options = {
        .seconds = seconds,
        .every_thread_count = every_thread_count,
        .progress = progress_show,
        .progress_context = &session->progress,
        .finished = keep,
        .finished_context = session,
    };
    enum status status = lab_ceilings(device, &options, &session->ceilings, error);
    progress_end();
    return status;
}

bool ceilings_known(const struct bench_session *session, const struct device *device)
{
    unsigned threads = device->backend->kind == BACKEND_CPU ? (unsigned)omp_get_max_threads() : 0;
    return ceiling_find(&session->ceilings, device->id, device->properties.name, device->properties.driver, threads,
                        CEILING_DRAM_COPY) != NULL;
}

enum status ceilings_ensure(struct bench_session *session, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t d = 0; status == STATUS_OK && d < session->selection.device_count; d++) {
        struct device *device = session->selection.devices[d];
        if (!device_is_null(device) && !ceilings_known(session, device) &&
            progress_step(&session->progress, device->id, BRIEF_CEILINGS))
            status = ceilings_measure(session, device, BRIEF_SECONDS, false, error);
    }
    return status;
}
