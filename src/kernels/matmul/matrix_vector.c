/* The host half of the rung for few rows or columns of results: its plan. */
#include <stdio.h>

#include "kernels/matmul/depth_spans.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/shape_choice.h"

enum { SPREAD, SPANS, CLUSTER, WIDE }; /* indices of the file's tunables */
#define VECTOR_ITEMS 256               /* the same as in matrix_vector.cu */

static struct vector_plan plan_of(const struct problem *problem, const struct device *device,
                                  const struct parameters *parameters)
{
    struct product p = product_of(problem, NULL, NULL, NULL);
    const struct vector_wish wish = {(int)parameters->values[SPREAD], (int)parameters->values[WIDE],
                                     (int)parameters->values[CLUSTER], (size_t)parameters->values[SPANS]};
    return vector_plan_of(vector_shape_of(&p, device->properties.units), wish);
}

static bool exceeds_cache(const struct run *run)
{
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    const struct vector_shape shape = vector_shape_of(&p, 1);
    const size_t most = run->device->properties.cache_bytes / element_info(p.type)->bytes;
    return shape.depth > 0 && shape.lines > most / shape.depth;
}

static enum status prepare(struct run *run, struct error *error)
{
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    const struct vector_shape shape = vector_shape_of(&p, 1);
    const struct vector_plan plan = plan_of(run->problem, run->device, &run->parameters);
    const struct spans_launch launch = {
        .items = VECTOR_ITEMS,
        .groups = plan.groups,
        .sums_at = plan.sums_at,
        .last = {(size_t)plan.spread, plan.spans, plan.slice},
        .last_count = 3,
        .defines = {{"CLUSTER", plan.cluster},
                    {"WIDE", plan.wide},
                    {"VECTORS", (int)shape.vectors},
                    {"ALONG_MEMORY", shape.along},
                    {"TRANSA", p.transa},
                    {"TRANSB", p.transb},
                    {"PAST_CACHES", exceeds_cache(run)},
                    {"PAIR", plan.pair},
                    {"ELEMENT_HALF", p.type == ELEMENT_F16    ? 16
                                     : p.type == ELEMENT_BF16 ? 8
                                                              : 0},
                    {"RESULT", p.result != p.type}},
        .define_count = 10,
    };
    snprintf(run->detail, sizeof run->detail, "depth in %d x %d x %zu", plan.spread, plan.cluster, plan.spans);
    return spans_prepare(run, &launch, error);
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    return plan_of(problem, device, parameters).bytes;
}

const struct rung matmul_matrix_vector = {
    .backends = BACKEND_CUDA,
    .scratch = scratch,
    .prepare = prepare,
    .finish = spans_finish,
    .enqueue = spans_enqueue,
};
