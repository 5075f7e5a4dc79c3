#include "base/translation.h"
#include "distributed/wave/wave.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return halo_prepare(run, CARRIER_PEERS, true, error);
}

const struct device_rung wave_hidden = {
    .name = "hidden",
    .idea =
        N_("the halos travel while each device computes its slab; once there, the rims go before what is left of it"),
    .needs = NEEDS_PEERS,
    .overlaps = true,
    .work = halo_work,
    .scratch = halo_scratch,
    .prepare = prepare,
    .enqueue = halo_enqueue,
    .finish = halo_finish,
};
