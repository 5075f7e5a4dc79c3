/* The work distribution of matrix-vector: the part of shape_choice.h for few rows or columns of results. */
#include <math.h>
#include <stdint.h>

#include "kernels/matmul/shape_choice.h"
#include "kernels/matmul/sizes.h"

#define FLAG_BYTES 8
#define ALIGNMENT 128

#define WARPS 8
#define LINES_EACH 4 /* of a warp, along memory */
#define LINES_MOST 128
#define RESIDENT 4     /* groups on a multiprocessor */
#define FEW_RESIDENT 3 /* with several vectors */
#define LOADS 16       /* of an item, in flight together */

#define TIE 0.05 /* decides between plans that memory makes equal */

/* Measured costs of matrix-vector; of pairs, the second is for lines along memory. */
struct vector_costs {
    double rest[2], wave;    /* of a launch; of each group */
    double answer[2];        /* memory latency of a round of loads, */
    double cached, uncached; /* times this factor beyond so many floats: the last-level cache */
    double rate[2], further; /* a round of each of many groups; the share that each further vector adds to that */
    double chunk;            /* copying a chunk of the vectors to shared memory */
    double cluster, span, span_each;
    double bandwidth; /* bytes per microsecond */
};

static const struct vector_costs one_vector = {
    .rest = {2.156, 2.588},
    .wave = 0.869,
    .answer = {0.4235, 0.4192},
    .cached = 12.5e6,
    .uncached = 2.012,
    .rate = {0.4573, 0.3533},
    .cluster = 0.751,
    .span = 1.609,
    .span_each = 0.0145,
    .bandwidth = 4.428e6,
};
/* The same of elements of 16 bits. */
static const struct vector_costs one_vector_of_halves = {
    .rest = {2.980, 3.511},
    .wave = 0.216,
    .answer = {0.5628, 0.3807},
    .cached = 8.79e6,
    .uncached = 1.437,
    .rate = {0.3718, 0.3008},
    .cluster = 0.826,
    .span = 1.608,
    .span_each = 0.0288,
    .bandwidth = 2.621e6,
};
static const struct vector_costs few_vectors = {
    .rest = {2.329, 6.571},
    .wave = 0.2348,
    .answer = {0.699, 0.9108},
    .cached = 8e6,
    .uncached = 1.746,
    .rate = {0.3783, 0.4252},
    .further = 0.1625,
    .chunk = 1.01,
    .cluster = 1.332,
    .span = 2.068,
    .span_each = 0.1716,
    .bandwidth = 3.853e6,
};

struct vector_shape vector_shape_of(const struct product *p, unsigned units)
{
    bool column = p->n <= p->m;
    size_t vectors = column ? p->n : p->m;
    return (struct vector_shape){.lines = vectors == 0 ? 0
                                          : column     ? p->m
                                                       : p->n,
                                 .depth = product_depth(p),
                                 .vectors = most(1, vectors),
                                 .along = column ? !p->transa : p->transb,
                                 .units = units ? units : 1,
                                 .bytes = element_info(p->type)->bytes,
                                 .is_even = (column ? p->lda : p->ldb) % 2 == 0};
}

static size_t lines_of(bool along, const struct vector_plan *plan)
{
    return along ? (size_t)(LINES_EACH * WARPS / plan->spread) : 32 * (size_t)plan->wide;
}

/* Depths of one item that are loaded together. */
static size_t round_of(const struct vector_shape *shape, const struct vector_plan *plan)
{
    if (shape->along)
        return (shape->vectors > 4 ? 64 : 128) * (size_t)plan->pair;
    return (size_t)(LOADS / plan->wide * plan->pair);
}

/* Depths whose part of the vectors is in shared memory (few_vectors.cuh); all depths for one vector. */
static size_t chunk_of(const struct vector_shape *shape)
{
    return shape->vectors == 1 ? SIZE_MAX : shape->vectors > 4 ? 512 : 1024;
}

/* Rounds of one of a group's warps, which takes one piece of each chunk. */
static double rounds_of(const struct vector_shape *shape, const struct vector_plan *plan)
{
    size_t pieces = shape->along ? (size_t)plan->spread : WARPS, chunk = chunk_of(shape), round = round_of(shape, plan);
    size_t whole = plan->slice / chunk, last = plan->slice % chunk;
    size_t rounds = whole * (chunk / pieces / round) + divide_up(divide_up(last, pieces), round);
    return (double)rounds;
}

/* Bytes of a round, relative to one of 16 loads. If lines lie across memory, a row's end shares a sector with other
 * rows. */
static double load_of(const struct vector_shape *shape, const struct vector_plan *plan)
{
    if (shape->vectors == 1)
        return shape->along ? 1 : 1 + 0.5 / plan->wide;
    return (double)round_of(shape, plan) / (shape->along ? 32 : 1) * (shape->along ? LINES_EACH : plan->wide) / LOADS;
}

/* The loads of one item that are in flight together form a round. A round takes the memory's latency; with many groups
 * on a multiprocessor, the memory's throughput limits it instead. */
static double vector_estimate(const struct vector_shape *shape, const struct vector_plan *plan)
{
    const struct vector_costs *costs = shape->vectors > 1  ? &few_vectors
                                       : shape->bytes == 2 ? &one_vector_of_halves
                                                           : &one_vector;
    size_t slots = (size_t)shape->units * (shape->vectors > 1 ? FEW_RESIDENT : RESIDENT);
    double each = (double)(plan->groups < slots ? plan->groups : slots) / shape->units;
    double bytes = (double)shape->lines * (double)shape->depth * (double)shape->bytes;
    double answer = costs->answer[shape->along] * (bytes > 4 * costs->cached ? costs->uncached : 1);
    double rate =
        costs->rate[shape->along] * load_of(shape, plan) * (1 + costs->further * ((double)shape->vectors - 1));
    double chunks = (double)divide_up(plan->slice, chunk_of(shape)) * costs->chunk * fmax(1, each / 2);
    double time = (double)divide_up(plan->groups, slots) *
                  (costs->wave + rounds_of(shape, plan) * fmax(answer, rate * each) + chunks);
    const double memory = bytes / costs->bandwidth;
    time = fmax(time, memory) + TIE * fmin(time, memory) + costs->rest[shape->along];
    if (plan->cluster > 1)
        time += costs->cluster;
    return plan->spans > 1 ? time + costs->span + costs->span_each * (double)plan->spans : time;
}

/* Lines across memory come in pairs, or none does. */
static bool is_paired(const struct vector_shape *shape, const struct vector_plan *plan)
{
    return shape->bytes == 2 && shape->vectors == 1 && shape->is_even &&
           (shape->along || (plan->wide > 1 && shape->lines % 2 == 0));
}

static void vector_lay_out(const struct vector_shape *shape, struct vector_plan *plan)
{
    size_t sets = divide_up(shape->lines, lines_of(shape->along, plan)), cluster = (size_t)plan->cluster;
    plan->pair = is_paired(shape, plan) ? 2 : 1;
    plan->slice = most(1, round_up(divide_up(shape->depth, cluster * plan->spans), (size_t)plan->pair));
    plan->spans = most(1, divide_up(shape->depth, cluster * plan->slice));
    plan->groups = sets * cluster * plan->spans;
    plan->sums_at = round_up(sets * (plan->spans + 1) * FLAG_BYTES, ALIGNMENT);
    plan->bytes = plan->sums_at + sets * plan->spans * LINES_MOST * shape->vectors * 4;
    if (plan->spans == 1)
        plan->bytes = plan->sums_at = ALIGNMENT;
    plan->nanoseconds = 1000 * vector_estimate(shape, plan);
}

/* Tries numbers of spans, as try_spans does. */
static void try_vector_spans(const struct vector_shape *shape, struct vector_plan plan, size_t wished,
                             struct vector_plan *best)
{
    static const size_t counts[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128};
    for (size_t i = 0; i < (wished ? 1 : COUNT_OF(counts)); i++) {
        plan.spans = wished ? wished : counts[i];
        vector_lay_out(shape, &plan);
        if (best->spread == 0 || plan.nanoseconds < best->nanoseconds)
            *best = plan;
        if (plan.slice < 64 || plan.groups > 10 * (size_t)shape->units)
            return;
    }
}

/* A tunable without influence, or with a requested value, is tried with one value only. */
static bool is_tried(int value, int wished, int only, bool matters)
{
    return wished ? value == wished : matters || value == only;
}

struct vector_plan vector_plan_of(struct vector_shape shape, struct vector_wish wish)
{
    struct vector_plan best = {.spread = 0};
    for (int spread = 1; spread <= WARPS; spread *= 2)
        for (int wide = 1; wide <= 4; wide *= 2)
            for (int cluster = 1; cluster <= 8; cluster *= 2)
                if (is_tried(spread, wish.spread, WARPS, shape.along) && is_tried(wide, wish.wide, 4, !shape.along) &&
                    (!wish.cluster || wish.cluster == cluster))
                    try_vector_spans(&shape, (struct vector_plan){.spread = spread, .wide = wide, .cluster = cluster},
                                     wish.spans, &best);
    return best;
}
