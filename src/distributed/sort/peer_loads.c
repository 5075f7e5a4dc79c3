#include "base/translation.h"
#include "distributed/sort/sort.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return runs_prepare(run, CARRIER_PEERS, RUNS_MERGED_IN_PLACE, error);
}

const struct device_rung sort_peer_loads = {
    .name = "peer-loads",
    .idea = N_("sorted shares are cut by rank; the merge reads the runs where they lie, also in a peer's memory"),
    .needs = NEEDS_PEERS,
    .scratch = runs_scratch,
    .prepare = prepare,
    .enqueue = runs_enqueue,
    .finish = runs_finish,
};
