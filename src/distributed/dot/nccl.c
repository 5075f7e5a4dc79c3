#include "base/translation.h"
#include "distributed/dot/dot.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return leaves_prepare(run, LEAVES_BY_NCCL, error);
}

const struct device_rung dot_nccl = {
    .name = "nccl",
    .idea = N_("the leaves' sums are sent to device 0 by NCCL; its own reduction would not keep the order"),
    .needs = NEEDS_NCCL,
    .scratch = leaves_scratch,
    .prepare = prepare,
    .enqueue = leaves_enqueue,
    .finish = leaves_finish,
};
