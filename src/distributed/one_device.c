/* The whole problem on one device: the baseline for several devices. */
#include <stdio.h>
#include <stdlib.h>

#include "base/translation.h"
#include "distributed/bench.h"
#include "distributed/local_run.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    struct local_run *local = run->state = calloc(1, sizeof *local);
    if (!local)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    enum status status = local_run_make(local, run->problem, run->group->devices[0], run->buffers[0], error);
    if (status != STATUS_OK)
        return status;
    run->bound = local->bound;
    snprintf(run->detail, sizeof run->detail, "%s", local->prepared.run.rung->name);
    return STATUS_OK;
}

static enum status enqueue(struct device_run *run, struct error *error)
{
    return local_run_enqueue(run->state, error);
}

static void finish(struct device_run *run)
{
    if (run->state)
        local_run_finish(run->state);
    free(run->state);
    run->state = NULL;
}

const struct device_rung one_device = {
    .name = "one-device",
    .idea = N_("one device, by the rung of the kernel's own ladder that serves it best"),
    .prepare = prepare,
    .enqueue = enqueue,
    .finish = finish,
};
