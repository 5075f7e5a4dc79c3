/* The host half of mma_spans.cu: its plan. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/matmul/depth_spans.h"
#include "kernels/matmul/half_choice.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/sizes.h"

enum { TILE_M, TILE_N, DEPTH, SPANS, CLUSTER }; /* indices of the file's tunables */

#define ITEMS 256
#define ALIGNMENT 128
#define FLAG_BYTES 8
#define CLUSTER_MOST 8

struct plan {
    size_t m, n, depth;           /* of a tile; of a stage */
    size_t spans, cluster, slice; /* slice: depths of a group, a multiple of a stage's */
    size_t tiles, sums_at, bytes;
};

/* What is asked for; 0: any. */
struct wish {
    size_t m, n, depth, spans, cluster;
};

/* The tiles that eight warps can share. */
static const struct {
    size_t m, n;
} shapes[] = {{16, 128}, {32, 64},  {64, 32},  {128, 16}, {32, 128},
              {64, 64},  {128, 32}, {64, 128}, {128, 64}, {128, 128}};

/* The stages, and behind them the one that is multiplied where rows begin anywhere, as a caller's arrays may; then, in
 * their place, the results or the sums of a tile. */
static size_t slot_bytes(size_t lines, size_t depth, bool is_along)
{
    return is_along ? lines * (2 * depth + 16) : depth * (2 * lines + 16);
}

static size_t local_bytes(const struct product *p, const struct plan *plan)
{
    const size_t stage = slot_bytes(plan->m, plan->depth, !p->transa) + slot_bytes(plan->n, plan->depth, p->transb);
    const size_t stages = plan->depth == 64 ? 3 : 4;
    return most(stages * stage + 2 * (plan->m + plan->n) * plan->depth, plan->m * (plan->n + 8) * 4);
}

/* Microseconds of a group: a tile's ends; 32 deep of a group alone and of each of several on a multiprocessor, for each
 * line of the tile and, of several, for each 4096 results (the second of a pair: where rows do not begin at multiples
 * of 16 bytes); and the addition of one more span's sums. */
#define END 1.0
#define END_BY_TILE 0.6 /* for each 4096 results, as SPAN and shared_by_tile */
static const double alone_rest[] = {0.03, 0.1};
static const double alone_by_line[] = {0.0012, 0.0042}, shared_by_line[] = {0.00079, 0.0028};
static const double shared_by_tile[] = {0.048, 0.04};
#define DEEP 0.72 /* 64 deep at once, of twice 32 deep, for a group alone; and of several: */
#define DEEP_SHARED 0.88
#define SPAN 0.25
#define CROWD 0.8 /* the share of the ends that each further group on a multiprocessor adds: of tiles up to 4096 */
#define LARGE_CROWD 1.0
#define CLUSTERING 1.3 /* what sharing takes besides: through shared memory, */
#define SPANNING 2.0   /* and through scratch memory */
#define LAUNCH 2.6
/* The share of the multiprocessors that clusters of 4 and more can use. */
#define UNITS_OF_CLUSTERS 0.925
#define BANDWIDTH 3.9e6  /* bytes per microsecond */
#define TIE 0.05         /* decides between plans that memory makes equal */
#define LOCAL_ALL 233472 /* bytes of shared memory of a multiprocessor, of which a group takes LOCAL_REST more */
#define LOCAL_REST 1024

/* A wave of so many groups on a multiprocessor. */
static double wave(const struct plan *plan, bool is_shifted, size_t each)
{
    const double lines = (double)(plan->m + plan->n), results = (double)(plan->m * plan->n) / 4096;
    const double depths = (double)plan->slice / 32, groups = (double)each;
    const double alone = (alone_rest[is_shifted] + alone_by_line[is_shifted] * lines) * (plan->depth == 64 ? DEEP : 1);
    const double shared = (shared_by_line[is_shifted] * lines + shared_by_tile[is_shifted] * results) *
                          (plan->depth == 64 ? DEEP_SHARED : 1);
    const double end = END + END_BY_TILE * results;
    return end * (1 + (results > 1 ? LARGE_CROWD : CROWD) * (groups - 1)) + depths * fmax(alone, shared * groups);
}

static double estimate(const struct product *p, const struct plan *plan, bool is_shifted, size_t units)
{
    const double results = (double)(plan->m * plan->n) / 4096;
    const size_t most_resident = plan->m * plan->n <= 4096 ? 3 : 2; /* by registers */
    const size_t resident = size_least(most_resident, LOCAL_ALL / (local_bytes(p, plan) + LOCAL_REST));
    if (plan->cluster >= 4)
        units = (size_t)ceil((double)units * UNITS_OF_CLUSTERS);
    const size_t groups = plan->tiles * plan->spans * plan->cluster, slots = units * resident, left = groups % slots;
    const double bytes = 2 * ((double)(p->m + p->n) * (double)product_depth(p) + (double)p->m * (double)p->n);
    double time = (double)(groups / slots) * wave(plan, is_shifted, resident);
    if (left > 0)
        time += wave(plan, is_shifted, divide_up(left, units));
    if (plan->cluster > 1)
        time += CLUSTERING;
    if (plan->spans > 1)
        time += SPANNING + SPAN * results * (double)plan->spans / (double)size_least(4, plan->cluster);
    return LAUNCH + fmax(time, bytes / BANDWIDTH) + TIE * fmin(time, bytes / BANDWIDTH);
}

static void lay_out(const struct product *p, struct plan *plan)
{
    const size_t depth = product_depth(p), stages = depth ? divide_up(depth, plan->depth) : 1;
    plan->tiles = divide_up(p->m, plan->m) * divide_up(p->n, plan->n);
    plan->slice = divide_up(stages, plan->spans * plan->cluster) * plan->depth;
    plan->spans = divide_up(stages * plan->depth, plan->slice * plan->cluster); /* none is without depth */
    plan->sums_at = divide_up(plan->tiles * plan->cluster * (plan->spans + 1) * FLAG_BYTES, ALIGNMENT) * ALIGNMENT;
    plan->bytes = plan->spans > 1 ? plan->sums_at + plan->tiles * plan->spans * plan->m * plan->n * 4 : ALIGNMENT;
}

static bool is_shifted(const struct product *p)
{
    return p->lda % 8 != 0 || p->ldb % 8 != 0;
}

static bool is_wished(size_t wish, size_t value)
{
    return wish == 0 || wish == value;
}

/* Tries all ways to share the depth of tiles. */
static void try_spans(const struct product *p, size_t units, struct wish wish, struct plan plan, struct plan *best,
                      double *least)
{
    static const size_t counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
    for (plan.cluster = 1; plan.cluster <= CLUSTER_MOST; plan.cluster *= 2)
        for (size_t s = 0; s < COUNT_OF(counts) && is_wished(wish.cluster, plan.cluster); s++) {
            if (!is_wished(wish.spans, counts[s]))
                continue;
            plan.spans = counts[s];
            lay_out(p, &plan);
            const double time = estimate(p, &plan, is_shifted(p), units ? units : 1);
            if (best->m == 0 || time < *least) {
                *least = time;
                *best = plan;
            }
        }
}

/* The plan with the least estimate, of those that are wished; and that estimate. */
static struct plan best_plan(const struct product *p, size_t units, struct wish wish, double *least)
{
    struct plan best = {.m = 0};
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (size_t depth = 32; depth <= 64; depth *= 2)
            if (is_wished(wish.m, shapes[i].m) && is_wished(wish.n, shapes[i].n) && is_wished(wish.depth, depth))
                try_spans(p, units, wish, (struct plan){.m = shapes[i].m, .n = shapes[i].n, .depth = depth}, &best,
                          least);
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
    struct wish wish = {(size_t)values[TILE_M], (size_t)values[TILE_N], (size_t)values[DEPTH], (size_t)values[SPANS],
                        (size_t)values[CLUSTER]};
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
    bool has_tile = false;
    if (parameters->values[CLUSTER] > 1 && !has_clusters(device))
        return explain(reason, size, "needs thread block clusters, which GPUs have from compute capability 9.0 on");
    const double tiles = ceil((double)p.m / 16) * ceil((double)p.n / 16);
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        has_tile |= is_wished((size_t)parameters->values[TILE_M], shapes[i].m) &&
                    is_wished((size_t)parameters->values[TILE_N], shapes[i].n);
    if (!has_tile)
        return explain(reason, size, "eight warps share tiles from 16 x 128 and 32 x 64 on");
    return tiles * 32 < 0x1p31 ? NULL : explain(reason, size, "counts tiles in 32 bits");
}

static enum status prepare(struct run *run, struct error *error)
{
    const struct product p = product_of(run->problem, NULL, NULL, NULL);
    const struct plan plan = plan_of(run->problem, run->device, &run->parameters);
    const struct spans_launch launch = {
        .items = ITEMS,
        .groups = plan.tiles * plan.spans * plan.cluster,
        .local_bytes = local_bytes(&p, &plan),
        .sums_at = plan.sums_at,
        .last = {plan.spans, plan.slice},
        .last_count = 2,
        .defines = {{"ELEMENT_HALF", p.type == ELEMENT_F16 ? 16 : 8},
                    {"RESULT", p.result != p.type},
                    {"TRANSA", p.transa},
                    {"TRANSB", p.transb},
                    {"TILE_M", (int)plan.m},
                    {"TILE_N", (int)plan.n},
                    {"DEPTH", (int)plan.depth},
                    {"CLUSTER", (int)plan.cluster}},
        .define_count = 8,
    };
    snprintf(run->detail, sizeof run->detail, "tiles of %zu x %zu, %zu deep, depth in %zu x %zu", plan.m, plan.n,
             plan.depth, plan.cluster, plan.spans);
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
