#include "base/translation.h"
#include "distributed/transpose/slabs.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return slabs_prepare(run, CARRIER_NCCL, error);
}

const struct device_rung transpose_nccl = {
    .name = "nccl",
    .idea = N_("NCCL's all-to-all between a local transpose and a local copy into place"),
    .needs = NEEDS_NCCL,
    .work = slabs_work,
    .scratch = slabs_scratch_twice,
    .prepare = prepare,
    .enqueue = slabs_enqueue,
    .finish = slabs_finish,
};
