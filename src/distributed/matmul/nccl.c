#include "base/translation.h"
#include "distributed/matmul/matmul.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return gather_prepare(run, CARRIER_NCCL, error);
}

const struct device_rung matmul_nccl = {
    .name = "nccl",
    .idea = N_("all of B is gathered on each device by NCCL; then each multiplies its rows of A"),
    .needs = NEEDS_NCCL,
    .scratch = gather_scratch,
    .prepare = prepare,
    .enqueue = gather_enqueue,
    .finish = gather_finish,
};
