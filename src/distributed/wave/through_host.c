#include "base/translation.h"
#include "distributed/wave/wave.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return halo_prepare(run, CARRIER_HOST, false, error);
}

const struct device_rung wave_through_host = {
    .name = "through-host",
    .idea = N_("the halos of all steps travel through host memory, then each device computes"),
    .needs = 0,
    .work = halo_work,
    .scratch = halo_scratch,
    .prepare = prepare,
    .enqueue = halo_enqueue,
    .finish = halo_finish,
};
