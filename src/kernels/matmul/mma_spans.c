/* The host half of mma_spans.cu: its plan. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/matmul/depth_spans.h"
#include "kernels/matmul/half_choice.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/sizes.h"

enum { TILE, SPANS, CLUSTER }; /* indices of the file's tunables */

#define ITEMS 256
#define STAGES 4
#define DEPTH 32 /* of a stage */
#define ALIGNMENT 128
#define FLAG_BYTES 8
#define CLUSTER_MOST 8

struct plan {
    size_t tile, spans, cluster, slice; /* depths of a group: a multiple of a stage's */
    size_t tiles, sums_at, bytes;
};

/* What is asked for; 0: any. */
struct wish {
    size_t tile, spans, cluster;
};

/* Microseconds: a group's two ends; a stage of a group alone and of each of several on a multiprocessor (the second of
 * a pair: where rows do not begin at multiples of 16 bytes); the addition of one more span's sums; and the share of the
 * ends that each further group on a multiprocessor adds. */
static const struct costs {
    size_t tile, resident;
    double ends, alone[2], shared[2], span, crowd;
} costs[] = {
    {64, 3, 2.0, {0.30, 0.40}, {0.16, 0.22}, 0.25, 0.2},
    {128, 2, 3.0, {0.55, 0.75}, {0.44, 0.55}, 1.0, 0.4},
};
#define CLUSTERING 1.3 /* what sharing takes besides: through shared memory, */
#define SPANNING 2.0   /* and through scratch memory */
#define LAUNCH 2.6
/* The share of the multiprocessors that clusters of 4 and more can use. */
#define UNITS_OF_CLUSTERS 0.925

/* A wave of so many groups on a multiprocessor. */
static double wave(const struct costs *cost, double stages, bool is_shifted, size_t each)
{
    return cost->ends * (1 + cost->crowd * (double)(each - 1)) +
           stages * fmax(cost->alone[is_shifted], cost->shared[is_shifted] * (double)each);
}

static double estimate(const struct costs *cost, const struct plan *plan, bool is_shifted, size_t units)
{
    if (plan->cluster >= 4)
        units = (size_t)ceil((double)units * UNITS_OF_CLUSTERS);
    const size_t groups = plan->tiles * plan->spans * plan->cluster, slots = units * cost->resident;
    const size_t left = groups % slots;
    const double stages = (double)divide_up(plan->slice, DEPTH);
    double time = LAUNCH + (double)(groups / slots) * wave(cost, stages, is_shifted, cost->resident);
    if (left > 0)
        time += wave(cost, stages, is_shifted, divide_up(left, units));
    if (plan->cluster > 1)
        time += CLUSTERING;
    return time +
           (plan->spans > 1 ? SPANNING + cost->span * (double)plan->spans / (double)size_least(4, plan->cluster) : 0);
}

static void lay_out(const struct product *p, const struct costs *cost, struct plan *plan)
{
    const size_t depth = product_depth(p), stages = depth ? divide_up(depth, DEPTH) : 1;
    plan->tile = cost->tile;
    plan->tiles = divide_up(p->m, cost->tile) * divide_up(p->n, cost->tile);
    plan->slice = divide_up(stages, plan->spans * plan->cluster) * DEPTH;
    plan->spans = divide_up(stages * DEPTH, plan->slice * plan->cluster); /* none is without depth */
    plan->sums_at = divide_up(plan->tiles * plan->cluster * (plan->spans + 1) * FLAG_BYTES, ALIGNMENT) * ALIGNMENT;
    plan->bytes = plan->spans > 1 ? plan->sums_at + plan->tiles * plan->spans * plan->tile * plan->tile * 4 : ALIGNMENT;
}

static bool is_shifted(const struct product *p)
{
    return p->lda % 8 != 0 || p->ldb % 8 != 0;
}

/* The plan with the least estimate, of those that are wished; and that estimate. */
static struct plan best_plan(const struct product *p, size_t units, struct wish wish, double *least)
{
    static const size_t counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
    struct plan best = {.tile = 0};
    for (size_t i = 0; i < COUNT_OF(costs); i++)
        for (size_t cluster = 1; cluster <= CLUSTER_MOST; cluster *= 2)
            for (size_t s = 0; s < COUNT_OF(counts); s++) {
                struct plan plan = {.spans = counts[s], .cluster = cluster};
                if ((wish.tile && costs[i].tile != wish.tile) || (wish.spans && counts[s] != wish.spans) ||
                    (wish.cluster && cluster != wish.cluster))
                    continue;
                lay_out(p, &costs[i], &plan);
                const double time = estimate(&costs[i], &plan, is_shifted(p), units ? units : 1);
                if (best.tile == 0 || time < *least) {
                    *least = time;
                    best = plan;
                }
            }
    return best;
}

/* Compute capability 9.0 began with clusters. */
static bool has_clusters(const struct device *device)
{
    return strtod(device->properties.version, NULL) >= 9;
}

static struct plan plan_of(const struct problem *problem, const struct device *device,
                           const struct parameters *parameters)
{
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const int64_t *values = parameters->values;
    double least;
    struct wish wish = {(size_t)values[TILE], (size_t)values[SPANS], (size_t)values[CLUSTER]};
    if (!has_clusters(device))
        wish.cluster = 1;
    return best_plan(&p, device->properties.units, wish, &least);
}

double mma_spans_estimate(const struct product *p, unsigned units)
{
    double least = 0;
    best_plan(p, units, (struct wish){0}, &least);
    return least;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    const struct product p = product_of(problem, NULL, NULL, NULL);
    if (parameters->values[CLUSTER] > 1 && !has_clusters(device))
        return explain(reason, size, "needs thread block clusters, which GPUs have from compute capability 9.0 on");
    const double tiles = ceil((double)p.m / 64) * ceil((double)p.n / 64);
    return tiles * 32 < 0x1p31 ? NULL : explain(reason, size, "counts tiles in 32 bits");
}

/* The stages, and behind them the one that is multiplied where rows begin anywhere, as a caller's arrays may; then, in
 * their place, the results or the sums of a tile. */
static size_t local_bytes(size_t tile)
{
    return most(2 * STAGES * tile * 80 + 2 * tile * DEPTH * 2, tile * (tile + 8) * 4);
}

static enum status prepare(struct run *run, struct error *error)
{
    const struct product p = product_of(run->problem, NULL, NULL, NULL);
    const struct plan plan = plan_of(run->problem, run->device, &run->parameters);
    const struct spans_launch launch = {
        .items = ITEMS,
        .groups = plan.tiles * plan.spans * plan.cluster,
        .local_bytes = local_bytes(plan.tile),
        .sums_at = plan.sums_at,
        .last = {plan.spans, plan.slice},
        .last_count = 2,
        .defines = {{"ELEMENT_HALF", p.type == ELEMENT_F16 ? 16 : 8},
                    {"RESULT", p.result != p.type},
                    {"TRANSA", p.transa},
                    {"TRANSB", p.transb},
                    {"TILE", (int)plan.tile},
                    {"CLUSTER", (int)plan.cluster}},
        .define_count = 6,
    };
    snprintf(run->detail, sizeof run->detail, "tiles of %zu x %zu, depth in %zu x %zu", plan.tile, plan.tile,
             plan.cluster, plan.spans);
    return spans_prepare(run, &launch, error);
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    return plan_of(problem, device, parameters).bytes;
}

const struct rung matmul_mma_spans = {
    .backends = BACKEND_CUDA,
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .finish = spans_finish,
    .enqueue = spans_enqueue,
};
