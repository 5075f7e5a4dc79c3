/* The methods of wave_halo.h: slabs along z, or blocks along all axes; halos travel between steps, or during them. */
#include "base/message.h"
#include "distributed/ranks/wave_halo.h"
#include "kernels/wave/wave.h"

static enum status prepare(struct method_run *run, struct error *error)
{
    return wave_halo_begin(run, wave_slabs, false, error);
}

static enum status prepare_overlapped(struct method_run *run, struct error *error)
{
    return wave_halo_begin(run, wave_slabs, true, error);
}

static enum status prepare_3d(struct method_run *run, struct error *error)
{
    return wave_halo_begin(run, wave_grid_of_ranks, false, error);
}

static enum status prepare_overlapped_3d(struct method_run *run, struct error *error)
{
    return wave_halo_begin(run, wave_grid_of_ranks, true, error);
}

static struct place place(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    (void)array, (void)index;
    const struct wave_blocks blocks = wave_slabs(problem, count);
    return wave_place(&blocks, rank);
}

static struct place place_3d(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    (void)array, (void)index;
    const struct wave_blocks blocks = wave_grid_of_ranks(problem, count);
    return wave_place(&blocks, rank);
}

static const char *refuses_3d(const struct problem *problem, int count, char *reason, size_t size)
{
    const struct wave_blocks blocks = wave_grid_of_ranks(problem, count);
    const int most = wave_blocks_count(&blocks);
    if (most == count)
        return NULL;
    return explain(reason, size,
                   "no grid of %d ranks leaves each %d points along a divided axis of %zu × %zu × %zu; %d ranks can",
                   count, WAVE_REACH, blocks.points[WAVE_X], blocks.points[WAVE_Y], blocks.points[WAVE_Z], most);
}

/* Ranks that differ along the last divided axis follow one another. Those of other axes are far away. */
static struct traffic traffic_of(const struct problem *problem, const struct wave_blocks *blocks, bool overlapped)
{
    const double steps = (double)problem_size(problem, "steps");
    double all = 1, padded = 1, edges = 0;
    int stride = 1;
    struct traffic traffic = {.overlaps = overlapped ? (steps - 1) / steps : 0}; /* all but the first halos */
    for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++) {
        all *= (double)blocks->points[axis];
        padded *= wave_largest_side(blocks, axis) + (blocks->ranks[axis] > 1 ? 2.0 * WAVE_REACH : 0);
    }
    for (int axis = WAVE_X; axis >= WAVE_Z; axis--) {
        const double bytes = WAVE_REACH * wave_largest_face(blocks, (enum wave_axis)axis) * sizeof(float);
        if (blocks->ranks[axis] == 1)
            continue;
        traffic_add(&traffic, stride == 1 ? OPERATION_RING : OPERATION_FAR_RING, steps, bytes);
        edges += 6 * WAVE_REACH * padded / (wave_largest_side(blocks, (enum wave_axis)axis) + 2.0 * WAVE_REACH);
        stride *= blocks->ranks[axis];
    }
    traffic.work = (padded + (overlapped ? edges * (steps - 1) / steps : 0)) / all;
    return traffic;
}

static struct traffic traffic(const struct problem *problem, int count)
{
    const struct wave_blocks blocks = wave_slabs(problem, count);
    return traffic_of(problem, &blocks, false);
}

static struct traffic traffic_overlapped(const struct problem *problem, int count)
{
    const struct wave_blocks blocks = wave_slabs(problem, count);
    return traffic_of(problem, &blocks, true);
}

static struct traffic traffic_3d(const struct problem *problem, int count)
{
    const struct wave_blocks blocks = wave_grid_of_ranks(problem, count);
    return traffic_of(problem, &blocks, false);
}

static struct traffic traffic_overlapped_3d(const struct problem *problem, int count)
{
    const struct wave_blocks blocks = wave_grid_of_ranks(problem, count);
    return traffic_of(problem, &blocks, true);
}

#define COMMON .kernel = "wave", .end = wave_halo_end, .run = wave_halo_run

const struct method method_wave_halo = {
    .name = "halo",
    .idea = "planes along z; two planes go to each neighbour after every step",
    .place = place,
    .begin = prepare,
    .traffic = traffic,
    COMMON,
};

const struct method method_wave_overlapped = {
    .name = "overlapped",
    .idea = "the outermost planes are made first, and travel while the others are made",
    .place = place,
    .begin = prepare_overlapped,
    .traffic = traffic_overlapped,
    COMMON,
};

const struct method method_wave_halo_3d = {
    .name = "halo-3d",
    .idea = "blocks in a grid of ranks along z, y and x with the least surface; two planes of each face travel",
    .refuses = refuses_3d,
    .place = place_3d,
    .begin = prepare_3d,
    .traffic = traffic_3d,
    COMMON,
};

const struct method method_wave_overlapped_3d = {
    .name = "overlap-3d",
    .idea = "blocks as in halo-3d; the outermost points are made first, and travel while the others are made",
    .refuses = refuses_3d,
    .place = place_3d,
    .begin = prepare_overlapped_3d,
    .traffic = traffic_overlapped_3d,
    COMMON,
};
