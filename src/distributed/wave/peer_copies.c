#include "base/translation.h"
#include "distributed/wave/wave.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return halo_prepare(run, CARRIER_PEERS, false, error);
}

const struct device_rung wave_peer_copies = {
    .name = "peer-copies",
    .idea = N_("the halos of all steps are copied directly, then each device computes"),
    .needs = NEEDS_PEERS,
    .work = halo_work,
    .scratch = halo_scratch,
    .prepare = prepare,
    .enqueue = halo_enqueue,
    .finish = halo_finish,
};
