#include "base/translation.h"
#include "distributed/dot/dot.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return leaves_prepare(run, LEAVES_BY_STORES, error);
}

const struct device_rung dot_peer_stores = {
    .name = "peer-stores",
    .idea = N_("the kernel that adds up a leaf stores its sum in device 0's memory"),
    .needs = NEEDS_PEERS,
    .scratch = leaves_scratch,
    .prepare = prepare,
    .enqueue = leaves_enqueue,
    .finish = leaves_finish,
};
