#include "base/translation.h"
#include "distributed/matmul/matmul.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return gather_prepare(run, CARRIER_HOST, error);
}

const struct device_rung matmul_through_host = {
    .name = "through-host",
    .idea = N_("all of B is gathered on each device through host memory; then each multiplies its rows of A"),
    .needs = 0,
    .scratch = gather_scratch,
    .prepare = prepare,
    .enqueue = gather_enqueue,
    .finish = gather_finish,
};
