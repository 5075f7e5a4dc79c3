#include "base/translation.h"
#include "distributed/sort/sort.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return runs_prepare(run, CARRIER_PEERS, RUNS_SORTED_AGAIN, error);
}

const struct device_rung sort_peer_copies = {
    .name = "peer-copies",
    .idea = N_("sorted shares are cut by rank; the runs are copied directly, and sorted again"),
    .needs = NEEDS_PEERS,
    .work = runs_work_again,
    .scratch = runs_scratch,
    .prepare = prepare,
    .enqueue = runs_enqueue,
    .finish = runs_finish,
};
