#include "distributed/carrier.h"

#include <stdio.h>
#include <stdlib.h>

enum status carried_begin(struct device_run *run, size_t state_bytes, struct error *error)
{
    struct carried *carried = run->state = calloc(1, state_bytes);
    return carried ? carrier_create(&carried->carrier, run, error) : fail(error, STATUS_UNAVAILABLE, "no memory");
}

enum status carried_local(struct device_run *run, size_t index, const struct problem *problem,
                          const struct buffer *buffers, const struct local_setting *setting, struct local_run *local,
                          struct error *error)
{
    enum status status = local_run_make_with(local, problem, run->group->devices[index], buffers, setting, error);
    if (status == STATUS_OK)
        snprintf(run->detail, sizeof run->detail, "%s", local->prepared.run.rung->name);
    return status;
}

void carried_end(struct device_run *run)
{
    struct carried *carried = run->state;
    if (!carried)
        return;
    for (size_t i = 0; i < GROUP_MAX; i++) {
        local_run_finish(&carried->local[i]);
        program_discard(carried->programs[i]);
        buffer_release(&carried->views[i]);
    }
    carrier_destroy(&carried->carrier);
    free(carried);
    run->state = NULL;
}
