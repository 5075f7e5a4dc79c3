/* The host half of the rung of one launch for any shape: its plan. */
#include <stdio.h>

#include "kernels/matmul/depth_spans.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/shape_choice.h"

enum { TILE, CLUSTER, SPANS }; /* indices of the file's tunables */

static struct fused_plan plan_of(const struct problem *problem, const struct device *device,
                                 const struct parameters *parameters)
{
    struct product p = product_of(problem, NULL, NULL, NULL);
    const struct fused_wish wish = {(int)parameters->values[TILE], (int)parameters->values[CLUSTER],
                                    (size_t)parameters->values[SPANS]};
    return fused_plan_of(&p, device->properties.units, wish);
}

/* Whether some rows do not begin at multiples of 16 bytes. */
static bool is_shifted(const struct product *p)
{
    return p->lda % 4 != 0 || p->ldb % 4 != 0;
}

static enum status prepare(struct run *run, struct error *error)
{
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    const struct fused_plan plan = plan_of(run->problem, run->device, &run->parameters);
    const struct spans_launch launch = {
        .items = plan.items,
        .groups = plan.groups,
        .local_bytes = plan.local_bytes,
        .sums_at = plan.sums_at,
        .last = {plan.spans, plan.slice},
        .last_count = 2,
        .defines = {{"TILE", plan.tile},
                    {"CLUSTER", plan.cluster},
                    {"TRANSA", p.transa},
                    {"TRANSB", p.transb},
                    {"SHIFTED", is_shifted(&p)},
                    {"FETCHERS", (int)plan.fetchers},
                    {"BATCH", p.batch > 1}},
        .define_count = 7,
    };
    snprintf(run->detail, sizeof run->detail, "tiles of %zu x %zu, depth in %d x %zu", plan.tile_m, plan.tile_n,
             plan.cluster, plan.spans);
    return spans_prepare(run, &launch, error);
}

/* The scratch memory begins with the number of the last launch that recomputed results (tensor_fused.cu). */
static enum status fell_back(const struct run *run, bool *did, struct error *error)
{
    int64_t epoch = 0;
    *did = false;
    if (!spans_has_groups(run))
        return STATUS_OK;
    enum status status = buffer_read(run->scratch, 0, &epoch, sizeof epoch, error);
    *did = epoch == spans_epoch(run);
    return status;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    return plan_of(problem, device, parameters).bytes;
}

const struct rung matmul_tensor_fused = {
    .backends = BACKEND_CUDA,
    .scratch = scratch,
    .prepare = prepare,
    .finish = spans_finish,
    .enqueue = spans_enqueue,
    .fell_back = fell_back,
};
