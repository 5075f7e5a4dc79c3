#include "base/translation.h"
#include "distributed/transpose/slabs.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return slabs_prepare(run, CARRIER_PEERS, error);
}

const struct device_rung transpose_peer_copies = {
    .name = "peer-copies",
    .idea = N_("the blocks travel directly: copy engines put each as a rectangle into the peer's rows"),
    .needs = NEEDS_PEERS,
    .scratch = slabs_scratch,
    .prepare = prepare,
    .enqueue = slabs_enqueue,
    .finish = slabs_finish,
};
