#include "base/translation.h"
#include "distributed/transpose/slabs.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return slabs_prepare(run, CARRIER_PEERS, 8, error);
}

const struct device_rung transpose_pipelined = {
    .name = "pipelined",
    .idea = N_("in eight pieces: one piece travels while the next is transposed"),
    .needs = NEEDS_PEERS,
    .scratch = slabs_scratch,
    .prepare = prepare,
    .enqueue = slabs_enqueue,
    .finish = slabs_finish,
};
