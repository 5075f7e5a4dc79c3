#include "base/translation.h"
#include "distributed/wave/wave.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return halo_prepare(run, CARRIER_NCCL, false, error);
}

const struct device_rung wave_nccl = {
    .name = "nccl",
    .idea = N_("NCCL sends and receives the halos of all steps, then each device computes"),
    .needs = NEEDS_NCCL,
    .work = halo_work,
    .scratch = halo_scratch,
    .prepare = prepare,
    .enqueue = halo_enqueue,
    .finish = halo_finish,
};
