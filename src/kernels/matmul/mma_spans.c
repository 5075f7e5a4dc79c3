/* The host half of mma_spans.cu: its plan. */
#include <math.h>
#include <stdio.h>

#include "base/size.h"
#include "kernels/matmul/depth_spans.h"
#include "kernels/matmul/half_choice.h"
#include "kernels/matmul/matmul.h"

enum { TILE, SPANS }; /* indices of the file's tunables */

#define ITEMS 256
#define STAGES 4
#define DEPTH 32 /* of a stage */
#define ALIGNMENT 128
#define FLAG_BYTES 8

struct plan {
    size_t tile, spans, slice; /* depths of a span: a multiple of a stage's */
    size_t tiles, sums_at, bytes;
};

static size_t divide_up(size_t value, size_t unit)
{
    return value / unit + (value % unit != 0);
}

/* Microseconds: a group's two ends; a stage of a group alone and of each of several on a multiprocessor (the second of
 * a pair: where rows do not begin at multiples of 16 bytes); the addition of one more span's sums; and the share of the
 * ends that each further group on a multiprocessor adds. */
static const struct costs {
    size_t tile, resident;
    double ends, alone[2], shared[2], span, crowd;
} costs[] = {
    {64, 3, 2.0, {0.30, 0.90}, {0.16, 0.30}, 0.25, 0.4},
    {128, 2, 3.0, {0.55, 1.60}, {0.44, 0.80}, 1.0, 1.3},
};
#define SPANNING 2.0 /* what sharing takes besides */
#define LAUNCH 2.6

/* A wave of so many groups on a multiprocessor. */
static double wave(const struct costs *cost, double stages, bool is_shifted, size_t each)
{
    return cost->ends * (1 + cost->crowd * (double)(each - 1)) +
           stages * fmax(cost->alone[is_shifted], cost->shared[is_shifted] * (double)each);
}

static double estimate(const struct costs *cost, const struct plan *plan, bool is_shifted, size_t units)
{
    const size_t groups = plan->tiles * plan->spans, slots = units * cost->resident, left = groups % slots;
    const double stages = (double)divide_up(plan->slice, DEPTH);
    double time = LAUNCH + (double)(groups / slots) * wave(cost, stages, is_shifted, cost->resident);
    if (left > 0)
        time += wave(cost, stages, is_shifted, divide_up(left, units));
    return time + (plan->spans > 1 ? SPANNING + cost->span * (double)plan->spans : 0);
}

static void lay_out(const struct product *p, const struct costs *cost, size_t spans, struct plan *plan)
{
    const size_t depth = product_depth(p), stages = depth ? divide_up(depth, DEPTH) : 1;
    plan->tile = cost->tile;
    plan->tiles = divide_up(p->m, cost->tile) * divide_up(p->n, cost->tile);
    plan->slice = divide_up(stages, spans) * DEPTH;
    plan->spans = divide_up(stages * DEPTH, plan->slice); /* none is without depth */
    plan->sums_at = divide_up(plan->tiles * (plan->spans + 1) * FLAG_BYTES, ALIGNMENT) * ALIGNMENT;
    plan->bytes = plan->spans > 1 ? plan->sums_at + plan->tiles * plan->spans * plan->tile * plan->tile * 4 : ALIGNMENT;
}

/* The tile and the number of spans with the least estimate, of those that are wished (0: any); and that estimate. */
static struct plan best_plan(const struct product *p, size_t units, size_t tile, size_t spans, double *least)
{
    static const size_t counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
    struct plan best = {.tile = 0};
    for (size_t i = 0; i < COUNT_OF(costs); i++)
        for (size_t s = 0; s < COUNT_OF(counts); s++) {
            struct plan plan;
            if ((tile && costs[i].tile != tile) || (spans && counts[s] != spans))
                continue;
            lay_out(p, &costs[i], counts[s], &plan);
            const double time = estimate(&costs[i], &plan, p->lda % 8 != 0 || p->ldb % 8 != 0, units ? units : 1);
            if (best.tile == 0 || time < *least) {
                *least = time;
                best = plan;
            }
        }
    return best;
}

static struct plan plan_of(const struct problem *problem, const struct device *device,
                           const struct parameters *parameters)
{
    const struct product p = product_of(problem, NULL, NULL, NULL);
    double least;
    return best_plan(&p, device->properties.units, (size_t)parameters->values[TILE], (size_t)parameters->values[SPANS],
                     &least);
}

double mma_spans_estimate(const struct product *p, unsigned units)
{
    double least = 0;
    best_plan(p, units, 0, 0, &least);
    return least;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const double tiles = ceil((double)p.m / 64) * ceil((double)p.n / 64);
    return tiles * 32 < 0x1p31 ? NULL : explain(reason, size, "counts tiles in 32 bits");
}

static enum status prepare(struct run *run, struct error *error)
{
    const struct product p = product_of(run->problem, NULL, NULL, NULL);
    const struct plan plan = plan_of(run->problem, run->device, &run->parameters);
    const struct spans_launch launch = {
        .items = ITEMS,
        .groups = plan.tiles * plan.spans,
        .local_bytes = 2 * STAGES * plan.tile * DEPTH * 2,
        .sums_at = plan.sums_at,
        .last = {plan.spans, plan.slice},
        .last_count = 2,
        .defines = {{"ELEMENT_HALF", p.type == ELEMENT_F16 ? 16 : 8},
                    {"RESULT", p.result != p.type},
                    {"TRANSA", p.transa},
                    {"TRANSB", p.transb},
                    {"TILE", (int)plan.tile}},
        .define_count = 5,
    };
    snprintf(run->detail, sizeof run->detail, "tiles of %zu x %zu, depth in %zu", plan.tile, plan.tile, plan.spans);
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
