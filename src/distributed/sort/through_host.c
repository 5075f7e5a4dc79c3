#include "base/translation.h"
#include "distributed/sort/sort.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return runs_prepare(run, CARRIER_HOST, RUNS_SORTED_AGAIN, error);
}

const struct device_rung sort_through_host = {
    .name = "through-host",
    .idea = N_("sorted shares are cut by rank; the runs travel through host memory, and are sorted again"),
    .needs = NEEDS_PEERS,
    .work = runs_work_again,
    .scratch = runs_scratch,
    .prepare = prepare,
    .enqueue = runs_enqueue,
    .finish = runs_finish,
};
