#include "base/translation.h"
#include "distributed/transpose/slabs.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return slabs_prepare(run, CARRIER_HOST, error);
}

const struct device_rung transpose_through_host = {
    .name = "through-host",
    .idea = N_("each device transposes its rows; the blocks travel to pinned host memory and from there"),
    .needs = 0,
    .scratch = slabs_scratch,
    .prepare = prepare,
    .enqueue = slabs_enqueue,
    .finish = slabs_finish,
};
