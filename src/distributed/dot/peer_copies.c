#include "base/translation.h"
#include "distributed/dot/dot.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return leaves_prepare(run, LEAVES_BY_COPIES, error);
}

const struct device_rung dot_peer_copies = {
    .name = "peer-copies",
    .idea = N_("the leaves' sums are copied directly to device 0"),
    .needs = NEEDS_PEERS,
    .scratch = leaves_scratch,
    .prepare = prepare,
    .enqueue = leaves_enqueue,
    .finish = leaves_finish,
};
