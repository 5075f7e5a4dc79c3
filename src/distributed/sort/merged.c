#include "base/translation.h"
#include "distributed/sort/sort.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return runs_prepare(run, CARRIER_PEERS, RUNS_MERGED, error);
}

const struct device_rung sort_merged = {
    .name = "merged",
    .idea = N_(
        "sorted shares are cut by rank; the runs are copied in six pieces, and one is merged while the next travels"),
    .needs = NEEDS_PEERS,
    .scratch = runs_scratch,
    .prepare = prepare,
    .enqueue = runs_enqueue,
    .finish = runs_finish,
};
