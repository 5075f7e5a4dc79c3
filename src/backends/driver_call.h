/* Calls of a driver outside of what a rung times: allocations, copies, closing. A driver may hang or end the process in
 * any of them, also while the lab's own work is under way, which may take long: each is marked, so that it is watched
 * and named (base/hang_guard.h, base/fatal_signal.h, base/child_process.h). The CPU and the null device have no driver.
 */
#pragma once

#include "backends/backend.h"
#include "base/under_way.h"

struct driver_call {
    bool is_marked, is_named;
};

static inline struct driver_call driver_call_begin(const struct device *device)
{
    struct driver_call call = {.is_marked = under_way_is_read() && device->backend->kind != BACKEND_CPU &&
                                            !device_is_null(device)};
    if (call.is_marked) {
        call.is_named = atomic_load(&under_way_now()->kind) == UNDER_WAY_NOTHING;
        if (call.is_named)
            under_way_begin(UNDER_WAY_CALL, device->id, "", device->id);
        under_way_call();
    }
    return call;
}

static inline void driver_call_end(struct driver_call call)
{
    if (call.is_marked)
        under_way_called();
    if (call.is_named)
        under_way_end();
}

/* `status` of the call that ends here. */
static inline enum status driver_call_done(struct driver_call call, enum status status)
{
    driver_call_end(call);
    return status;
}

/* For what a rung times, too: costs nothing where a rung is under way. */
static inline struct driver_call driver_call_begin_unnamed(const struct device *device)
{
    const bool is_named = atomic_load(&under_way_now()->kind) != UNDER_WAY_NOTHING;
    return is_named ? (struct driver_call){0} : driver_call_begin(device);
}

/* A part of a job on a user's files, with the launches in it, which no lab watches. Ends with driver_call_end. */
static inline struct driver_call driver_job_begin(const struct device *device)
{
    struct driver_call job = {.is_named = under_way_is_read() && device->backend->kind != BACKEND_CPU &&
                                          atomic_load(&under_way_now()->kind) == UNDER_WAY_NOTHING};
    if (job.is_named) {
        under_way_now()->computes_here = device->properties.is_cpu;
        under_way_begin(UNDER_WAY_JOB, device->id, "", device->id);
    }
    return job;
}
