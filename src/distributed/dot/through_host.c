#include "base/translation.h"
#include "distributed/dot/dot.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    return leaves_prepare(run, LEAVES_BY_HOST, error);
}

const struct device_rung dot_through_host = {
    .name = "through-host",
    .idea = N_("each device adds up its leaves; their sums reach device 0 through host memory"),
    .scratch = leaves_scratch,
    .prepare = prepare,
    .enqueue = leaves_enqueue,
    .finish = leaves_finish,
};
