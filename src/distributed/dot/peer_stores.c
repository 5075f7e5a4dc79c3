#include "base/translation.h"
#include "distributed/dot/dot.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return leaves_prepare(run, LEAVES_BY_STORES, error);
}

const struct device_rung dot_peer_stores = {
    .name = "peer-stores",
    .idea = N_("a group of each device stores its sums in device 0's memory; that of the last to be ready adds all up"),
    .needs = NEEDS_PEERS,
    .scratch = leaves_scratch,
    .prepare = prepare,
    .enqueue = leaves_enqueue,
    .finish = leaves_finish,
};
