#include "base/translation.h"
#include "distributed/sort/sort.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return runs_prepare(run, CARRIER_NCCL, RUNS_MERGED, error);
}

const struct device_rung sort_nccl = {
    .name = "nccl",
    .idea = N_("sorted shares are cut by rank; NCCL exchanges the runs, which are merged"),
    .needs = NEEDS_PEERS | NEEDS_NCCL,
    .scratch = runs_scratch,
    .prepare = prepare,
    .enqueue = runs_enqueue,
    .finish = runs_finish,
};
