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

/* How rows begin, with what that takes for each line of a tile, in microseconds of 32 deep: of a group alone and of
 * each of several on a multiprocessor; and until the first stages have come. */
enum { AT_16_BYTES, AT_8_BYTES, AT_4_BYTES, ANYWHERE };
static const struct {
    double alone, shared, first;
} by_line[] = {
    [AT_16_BYTES] = {0.00172, 0.00112, 0},
    [AT_8_BYTES] = {0.0021, 0.0016, 0.005},
    [AT_4_BYTES] = {0.0028, 0.0019, 0.009},
    [ANYWHERE] = {0.00388, 0.00273, 0},
};

static int beginning_of(size_t ld)
{
    return ld % 8 == 0 ? AT_16_BYTES : ld % 4 == 0 ? AT_8_BYTES : ld % 2 == 0 ? AT_4_BYTES : ANYWHERE;
}

static bool comes_narrow(int beginning)
{
    return beginning == AT_8_BYTES || beginning == AT_4_BYTES;
}

/* Microseconds besides: of a group's ends; of 32 deep of a group alone, and of each of several for each 4096 results
 * (the second of a pair: where rows are moved); and of the addition of one more span's sums. */
#define END 2.18
#define END_BY_TILE 0.71 /* for each 4096 results, as SPAN and shared_by_tile */
static const double alone_rest[] = {0.013, 0.033};
static const double shared_by_tile[] = {0.034, 0.028};
/* 64 deep at once, of twice 32 deep, for a group alone and for several; and where copies have 4 and 8 bytes, in tiles
 * of up to 4096 results: larger ones gain nothing. Two stages of 64 come first, and three of 32. */
#define DEEP 0.79
#define DEEP_SHARED 0.87
#define DEEP_NARROW 0.9
#define DEEP_FIRST (2 * 64.0 / (3 * 32))
#define SPAN 0.265
#define CROWD 0.39    /* the share of the ends that each further group on a multiprocessor adds */
#define SPANNING 1.68 /* what sharing through scratch memory takes besides */
#define LAUNCH 2.18
/* The share of the multiprocessors that clusters of 4 and more can use. */
#define UNITS_OF_CLUSTERS 0.925
#define BANDWIDTH 2.8e6  /* bytes per microsecond */
#define TIE 0.05         /* decides between plans that memory makes equal */
#define LOCAL_ALL 233472 /* bytes of shared memory of a multiprocessor, of which a group takes LOCAL_REST more */
#define LOCAL_REST 1024

/* A wave of so many groups on a multiprocessor. */
static double wave(const struct product *p, const struct plan *plan, size_t each)
{
    const int a = beginning_of(p->lda), b = beginning_of(p->ldb), is_moved = a == ANYWHERE || b == ANYWHERE;
    const double results = (double)(plan->m * plan->n) / 4096, rows = (double)plan->m, cols = (double)plan->n;
    const double depths = (double)plan->slice / 32, groups = (double)each;
    const double alone = alone_rest[is_moved] + by_line[a].alone * rows + by_line[b].alone * cols;
    const double shared = by_line[a].shared * rows + by_line[b].shared * cols + shared_by_tile[is_moved] * results;
    const bool is_narrow = !is_moved && (comes_narrow(a) || comes_narrow(b)), is_deep = plan->depth == 64;
    const double first = (by_line[a].first * rows + by_line[b].first * cols) * (is_deep ? DEEP_FIRST : 1);
    const double narrow = results > 1 ? 1 : DEEP_NARROW, gain = is_narrow ? narrow : DEEP,
                 shared_gain = is_narrow ? narrow : DEEP_SHARED;
    return (END + END_BY_TILE * results + first) * (1 + CROWD * (groups - 1)) +
           depths * fmax(alone * (is_deep ? gain : 1), shared * (is_deep ? shared_gain : 1) * groups);
}

static double estimate(const struct product *p, const struct plan *plan, size_t units)
{
    const double results = (double)(plan->m * plan->n) / 4096;
    const size_t most_resident = plan->m * plan->n <= 4096 ? 3 : 2; /* by registers */
    const size_t resident = size_least(most_resident, LOCAL_ALL / (local_bytes(p, plan) + LOCAL_REST));
    if (plan->cluster >= 4)
        units = (size_t)ceil((double)units * UNITS_OF_CLUSTERS);
    const size_t groups = plan->tiles * plan->spans * plan->cluster, slots = units * resident, left = groups % slots;
    const double bytes = 2 * ((double)(p->m + p->n) * (double)product_depth(p) + (double)p->m * (double)p->n);
    const size_t counts[] = {groups / slots, left > 0}, each[] = {resident, divide_up(left, units)};
    double time = 0;
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        time += (double)counts[i] * wave(p, plan, each[i]);
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

/* Bytes that are copied at once: as many as all rows begin at multiples of. Rows that begin anywhere are moved. */
static int copy_of(size_t ld)
{
    static const int bytes[] = {[AT_16_BYTES] = 16, [AT_8_BYTES] = 8, [AT_4_BYTES] = 4, [ANYWHERE] = 16};
    return bytes[beginning_of(ld)];
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
            const double time = estimate(p, &plan, units ? units : 1);
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
                    {"CLUSTER", (int)plan.cluster},
                    {"COPY_A", copy_of(p.lda)},
                    {"COPY_B", copy_of(p.ldb)}},
        .define_count = 10,
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
