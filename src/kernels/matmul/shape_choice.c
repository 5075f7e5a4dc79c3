#include "kernels/matmul/shape_choice.h"

#include <math.h>

#include "kernels/matmul/half_choice.h"
#include "kernels/matmul/sizes.h"

#define DEPTH 32       /* two stages of tensor_fused.cu: slices of the depth are multiples of this */
#define STAGES 4       /* 16 deep each */
#define CLUSTER_MOST 8 /* groups */
#define FLAG_BYTES 8
#define FUSED_HEADER 128 /* bytes before tensor_fused.cu's flags */
#define ALIGNMENT 128
#define LAUNCH 2.64 /* microseconds, as all times here */

/* ---- tensor-fused --------------------------------------------------------------------------------------------- */

/* The tiles of TILE: their shape in tensor_fused.cu, the numbers of splitting and of fetching items, and the groups
 * resident on a multiprocessor. Measured: the time of two stages of a single group and of two stages of each of many
 * groups (the second of a pair: if rows do not begin at multiples of 16 bytes), of the rest of a group, and the share
 * of that rest which each further group on a multiprocessor adds. */
struct tile {
    size_t m, n, splitters, fetchers, resident;
    double alone[2], shared[2], rest, crowd;
};

static const struct tile tiles[] = {
    [1] = {64, 16, 128, 32, 4, {0.603, 0.800}, {0.346, 0.373}, 1.10, 0.287},
    [2] = {64, 32, 128, 32, 4, {0.921, 1.019}, {0.375, 0.428}, 0.97, 0.633},
    [3] = {64, 64, 128, 32, 3, {0.736, 0.835}, {0.554, 0.629}, 1.83, 0.278},
    [4] = {64, 128, 128, 32, 2, {1.460, 1.117}, {1.106, 1.300}, 3.56, 0.179},
    [5] = {16, 64, 128, 32, 4, {0.699, 0.820}, {0.311, 0.324}, 0.82, 0.403},
    [6] = {32, 64, 128, 32, 4, {0.932, 1.096}, {0.386, 0.433}, 0.83, 0.631},
    [7] = {128, 128, 256, 128, 1, {2.021, 2.205}, {0, 0}, 3.83, 0},
};
#define TILES (COUNT_OF(tiles) - 1)
/* The largest tiles pay for no smaller depth. There some shapes take 1.6 times their estimate with them. */
#define LARGEST_TILE 7
#define LARGEST_TILE_DEPTH 200
#define CLUSTER 1.27    /* addition through shared memory */
#define SPAN 2.25       /* addition through scratch memory, */
#define SPAN_EACH 1.465 /* with 4096 sums of each span */
#define LATER_WAVE 1.07 /* spans of more groups than are resident */
/* Share of the GPU that clusters of 4 and of 8 groups can use: a cluster stays within one of the GPU's processing
 * clusters. */
#define UNITS_OF_CLUSTERS 0.925

struct shape {
    size_t m, n, k, batch;
    bool shifted; /* rows do not begin at multiples of 16 bytes */
    unsigned units;
};

/* Time of one wave of groups, `each` on a multiprocessor. */
static double wave(const struct tile *tile, bool shifted, double stages, size_t each)
{
    double r = (double)each;
    return tile->rest * (1 + tile->crowd * (r - 1)) + stages * fmax(tile->alone[shifted], tile->shared[shifted] * r);
}

static double estimate(const struct shape *shape, const struct fused_plan *plan)
{
    const struct tile *tile = &tiles[plan->tile];
    double part = plan->cluster >= 4 ? UNITS_OF_CLUSTERS : 1;
    size_t units = most(1, (size_t)((double)shape->units * part)), slots = units * tile->resident,
           waves = plan->groups / slots, left = plan->groups % slots;
    double stages = (double)divide_up(plan->slice, DEPTH);
    double time = (double)waves * wave(tile, shape->shifted, stages, tile->resident);
    if (left > 0)
        time += wave(tile, shape->shifted, stages, divide_up(left, units));
    if (plan->cluster > 1)
        time += CLUSTER;
    if (plan->spans > 1 && plan->groups > slots)
        time *= LATER_WAVE;
    if (plan->spans > 1)
        time += SPAN + SPAN_EACH * (double)plan->spans * (double)(tile->m * tile->n) / 4096 / plan->cluster;
    return LAUNCH + time;
}

/* Bytes of this many lines in shared memory, as in tensor_fused.cu (BYTES): stages of floats. */
static size_t line_bytes(size_t lines)
{
    return STAGES * (lines * 64 + most(512, lines * 16));
}

/* Bytes of a tile in shared memory. The stages are followed by two sets of the columns' parts (of the rows' if these
 * are fewer). The results, in slightly longer rows, finally replace both. */
static size_t tile_bytes(const struct tile *tile)
{
    size_t split = tile->m < 64 ? tile->m : tile->n;
    return most(line_bytes(tile->m) + line_bytes(tile->n) + 2 * split * 96, tile->m * (tile->n + 8) * 4);
}

static void lay_out(const struct shape *shape, struct fused_plan *plan)
{
    const struct tile *tile = &tiles[plan->tile];
    size_t tile_count = shape->batch * divide_up(shape->m, tile->m) * divide_up(shape->n, tile->n);
    size_t cluster = (size_t)plan->cluster;
    plan->tile_m = tile->m;
    plan->tile_n = tile->n;
    plan->slice = most(1, divide_up(divide_up(shape->k, DEPTH), cluster * plan->spans)) * DEPTH;
    plan->spans = most(1, divide_up(shape->k, plan->slice * cluster)); /* no span is without depth */
    plan->groups = tile_count * cluster * plan->spans;
    plan->fetchers = tile->fetchers;
    plan->items = tile->splitters + tile->fetchers;
    plan->local_bytes = tile_bytes(tile);
    plan->sums_at = FUSED_HEADER + round_up(tile_count * cluster * (plan->spans + 1) * FLAG_BYTES, ALIGNMENT);
    plan->bytes = plan->sums_at + tile_count * plan->spans * tile->m * tile->n * 4;
    if (plan->spans == 1)
        plan->bytes = plan->sums_at = FUSED_HEADER;
    plan->nanoseconds = 1000 * estimate(shape, plan);
}

/* Tries numbers of spans. More than five times the device's groups bring no gain. Neither do spans of small clusters: a
 * larger cluster is faster. */
static void try_spans(const struct shape *shape, struct fused_plan plan, size_t wished, struct fused_plan *best)
{
    static const size_t counts[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64};
    for (size_t i = 0; i < (wished || plan.cluster < CLUSTER_MOST ? 1 : COUNT_OF(counts)); i++) {
        plan.spans = wished ? wished : counts[i];
        lay_out(shape, &plan);
        if (best->tile == 0 || plan.nanoseconds < best->nanoseconds)
            *best = plan;
        if (plan.groups > 5 * (size_t)shape->units || plan.slice <= DEPTH)
            return;
    }
}

static struct fused_plan best_plan(struct shape shape, struct fused_wish wish)
{
    struct fused_plan best = {.tile = 0};
    for (int tile = 1; tile <= (int)TILES; tile++)
        for (int cluster = 1; cluster <= CLUSTER_MOST; cluster *= 2)
            if ((wish.tile ? wish.tile == tile : tile != LARGEST_TILE || shape.k >= LARGEST_TILE_DEPTH) &&
                (!wish.cluster || wish.cluster == cluster))
                try_spans(&shape, (struct fused_plan){.tile = tile, .cluster = cluster}, wish.spans, &best);
    return best;
}

/* The shape of a product on this many multiprocessors. Rows of every product begin at multiples of 16 bytes if those of
 * the first do. */
static struct shape shape_of(const struct product *p, unsigned units)
{
    bool shifted = p->lda % 4 != 0 || p->ldb % 4 != 0;
    return (struct shape){p->m, p->n, product_depth(p), most(1, p->batch), shifted, units ? units : 1};
}

struct fused_plan fused_plan_of(const struct product *product, unsigned units, struct fused_wish wish)
{
    return best_plan(shape_of(product, units), wish);
}

/* ---- the rung ------------------------------------------------------------------------------------------------- */

#define SHALLOW_MOST 256 /* depth; larger ones were not measured */

/* tensor-fp16x3: five launches; a pass over A and B, padded to whole tiles; products; results. */
static double three_products_estimate(const struct shape *shape)
{
    double m = (double)round_up(shape->m, 128), n = (double)round_up(shape->n, 128), k = (double)round_up(shape->k, 64);
    double stages = m * n / 16384 * k / 64 / shape->units, results = (double)shape->m * (double)shape->n;
    double split = shape->shifted ? 3.2e-6 : 2.9e-6, store = shape->shifted ? 5.4e-6 : 3.8e-6;
    return 32.1 + 0.689 * fmax(stages, 1) + split * (m + n) * k + store * results + 0.0026 * k;
}

/* shallow: what a product takes besides its groups, at least, with so many four depths; and each group's share of a
 * multiprocessor, which has several. */
struct shallow_costs {
    struct tile_shape tile;
    double rest, alone, each, shared, bandwidth; /* bytes of results in a microsecond */
};
static const struct shallow_costs shallow_costs[] = {
    {{32, 128}, 1.49, 0.121, 0.075, 0.1315, 3.6e6},
    {{64, 128}, 0.851, 0.269, 0.559, 0.2186, 3.6e6},
};
#define SHALLOW_FEW 900000 /* results, up to which tiles are 32 rows high instead of 64: ROWS of shallow.cu; */
#define SHALLOW_LOW 32     /* rows of each product of a batch, up to which they always are */

static bool has_many_results(const struct shape *shape)
{
    const double results = (double)shape->batch * (double)shape->m * (double)shape->n;
    return results > SHALLOW_FEW && (shape->batch == 1 || shape->m > SHALLOW_LOW);
}

static size_t tiles_of(const struct shape *shape, struct tile_shape tile)
{
    return shape->batch * divide_up(shape->m, tile.m) * divide_up(shape->n, tile.n);
}

static double shallow_estimate(const struct shape *shape)
{
    const double results = (double)shape->batch * (double)shape->m * (double)shape->n;
    const bool many = has_many_results(shape);
    const struct shallow_costs *costs = &shallow_costs[many];
    double each = (double)tiles_of(shape, costs->tile) / shape->units, depths = (double)divide_up(shape->k, 4);
    each = many ? fmax(1, each) : ceil(each);
    double groups = each * (costs->each + depths * costs->shared);
    return LAUNCH + costs->rest + depths * costs->alone + fmax(groups, 4 * results / costs->bandwidth);
}

/* tensor-shallow, by its tiles: WARPGROUPS · 64 rows, Y_LINES columns. What a product takes besides its groups, with
 * each 16 deep; each group's share of a multiprocessor, likewise; and bytes of results in a microsecond. */
struct step_costs {
    struct tile_shape tile;
    double rest, step, each, each_step, bandwidth;
};
static const struct step_costs step_costs[] = {
    {{64, 32}, 0.381, 0.222, 0.455, 0.1257, 3.0e6},
    {{64, 64}, 1.053, 0, 0.363, 0.3488, 3.08e6},
    {{128, 64}, 1.604, 0.0027, 1.418, 0.4334, 1.74e6},
};
#define STEPS_MOST 18

/* The same tiles as those of tensor_shallow.cu's tunables. */
static const struct step_costs *step_costs_of(const struct shape *shape)
{
    const size_t tile_count = tiles_of(shape, (struct tile_shape){64, 64});
    return &step_costs[tile_count < 200 ? 0 : tile_count < 396 || shape->k <= 32 || shape->m <= 64 ? 1 : 2];
}

static double tensor_shallow_estimate(const struct shape *shape)
{
    const struct step_costs *costs = step_costs_of(shape);
    double each = (double)tiles_of(shape, costs->tile) / shape->units, steps = (double)divide_up(shape->k, 16);
    double results = (double)shape->batch * (double)shape->m * (double)shape->n;
    if (steps > STEPS_MOST)
        return INFINITY;
    double groups = fmax(1, each) * (costs->each + steps * costs->each_step);
    return LAUNCH + costs->rest + steps * costs->step + fmax(groups, 4 * results / costs->bandwidth);
}

struct tile_shape shallow_tile_of(const struct product *product)
{
    const struct shape shape = shape_of(product, 1);
    return shallow_costs[has_many_results(&shape)].tile;
}

struct tile_shape tensor_shallow_tile_of(const struct product *product)
{
    const struct shape shape = shape_of(product, 1);
    return step_costs_of(&shape)->tile;
}

/* matrix-vector, for few rows or columns */
static double few_estimate(const struct product *product, unsigned units)
{
    const struct vector_shape few = vector_shape_of(product, units);
    if (few.vectors > VECTORS_MOST)
        return INFINITY;
    return vector_plan_of(few, (struct vector_wish){0}).nanoseconds / 1000;
}

struct candidate {
    const char *name;
    double time;
};

static const char *fastest(const struct candidate *candidates, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (candidates[i].time < candidates[best].time)
            best = i;
    return candidates[best].name;
}

const char *matmul_choice(const struct product *product, unsigned units)
{
    const struct shape shape = shape_of(product, units);
    const bool is_one = shape.batch == 1; /* the other rungs take no batches */
    if (is_one && (shape.m == 1 || shape.n == 1))
        return "matrix-vector";
    const struct candidate candidates[] = {
        {"tensor-fused", best_plan(shape, (struct fused_wish){0}).nanoseconds / 1000},
        {"tensor-fp16x3", is_one ? three_products_estimate(&shape) : INFINITY},
        {"matrix-vector", is_one ? few_estimate(product, units) : INFINITY},
        {"shallow", shape.k <= SHALLOW_MOST ? shallow_estimate(&shape) : INFINITY},
        {"tensor-shallow", tensor_shallow_estimate(&shape)},
    };
    return fastest(candidates, COUNT_OF(candidates));
}

/* Of elements of 16 bits; the rungs without wgmma and clusters need compute capability 8.0. */
static const char *half_choice(const struct product *product, unsigned units, bool is_hopper)
{
    const struct candidate candidates[] = {
        {"mma-spans", mma_spans_estimate(product, units)},
        {"mma-shallow", mma_shallow_estimate(product)},
        {"wgmma-persistent", wgmma_persistent_estimate(product, units)},
        {"matrix-vector", few_estimate(product, units)},
    };
    return fastest(candidates, is_hopper ? COUNT_OF(candidates) : 1);
}

const char *matmul_choose(const struct problem *problem, const struct device *device)
{
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const bool is_hopper = strncmp(device->properties.version, "9.0", 3) == 0;
    if (device->backend->kind != BACKEND_CUDA)
        return NULL;
    if (element_is_half(p.type))
        return half_choice(&p, device->properties.units, is_hopper);
    return p.type == ELEMENT_F32 && is_hopper ? matmul_choice(&p, device->properties.units) : NULL;
}
