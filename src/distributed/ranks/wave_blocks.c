#include "distributed/ranks/wave_blocks.h"

#include <math.h>

#include "kernels/part.h"
#include "kernels/wave/wave.h"

static struct wave_blocks whole(const struct problem *problem)
{
    const struct wave_grid grid = wave_grid_of(problem);
    return (struct wave_blocks){{grid.nz, grid.ny, grid.nx}, {1, 1, 1}};
}

struct wave_blocks wave_slabs(const struct problem *problem, int count)
{
    struct wave_blocks blocks = whole(problem);
    const size_t most = blocks.points[WAVE_Z] / WAVE_REACH;
    blocks.ranks[WAVE_Z] = most < 1 ? 1 : most < (size_t)count ? (int)most : count;
    return blocks;
}

int wave_blocks_count(const struct wave_blocks *blocks)
{
    return blocks->ranks[WAVE_Z] * blocks->ranks[WAVE_Y] * blocks->ranks[WAVE_X];
}

double wave_largest_side(const struct wave_blocks *blocks, enum wave_axis axis)
{
    return ceil((double)blocks->points[axis] / blocks->ranks[axis]);
}

double wave_largest_face(const struct wave_blocks *blocks, enum wave_axis axis)
{
    double points = 1;
    for (enum wave_axis other = 0; other < WAVE_AXES; other++)
        points *= other == axis ? 1 : wave_largest_side(blocks, other);
    return points;
}

/* Of one of two equal faces each, where there is a neighbour. */
static double surface(const struct wave_blocks *blocks)
{
    double points = 0;
    for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++)
        points += blocks->ranks[axis] > 1 ? wave_largest_face(blocks, axis) : 0;
    return points;
}

static bool has_thin_blocks(const struct wave_blocks *blocks)
{
    for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++)
        if (blocks->ranks[axis] > 1 && blocks->points[axis] / (size_t)blocks->ranks[axis] < WAVE_REACH)
            return true;
    return false;
}

/* False: every grid of so many ranks has thin blocks. */
static bool find_grid(int count, struct wave_blocks *best)
{
    struct wave_blocks grid = *best;
    bool is_found = false;
    for (int z = count; z >= 1; z--)
        for (int y = count % z == 0 ? count / z : 0; y >= 1; y--) {
            if (count / z % y != 0)
                continue;
            grid.ranks[WAVE_Z] = z;
            grid.ranks[WAVE_Y] = y;
            grid.ranks[WAVE_X] = count / z / y;
            if (has_thin_blocks(&grid) || (is_found && surface(&grid) >= surface(best)))
                continue;
            *best = grid;
            is_found = true;
        }
    return is_found;
}

struct wave_blocks wave_grid_of_ranks(const struct problem *problem, int count)
{
    struct wave_blocks blocks = whole(problem);
    double most = 1; /* blocks that are not thin */
    for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++)
        most *= (double)(blocks.points[axis] / WAVE_REACH > 1 ? blocks.points[axis] / WAVE_REACH : 1);
    count = most < count ? (int)most : count;
    while (!find_grid(count, &blocks))
        count--;
    return blocks;
}

/* The place of a rank along each axis. */
static void locate(const struct wave_blocks *blocks, int rank, int at[WAVE_AXES])
{
    at[WAVE_X] = rank % blocks->ranks[WAVE_X];
    at[WAVE_Y] = rank / blocks->ranks[WAVE_X] % blocks->ranks[WAVE_Y];
    at[WAVE_Z] = rank / blocks->ranks[WAVE_X] / blocks->ranks[WAVE_Y];
}

struct wave_box wave_block_of(const struct wave_blocks *blocks, int rank)
{
    struct wave_box box = {{0}, {0}};
    int at[WAVE_AXES];
    if (rank >= wave_blocks_count(blocks))
        return box;
    locate(blocks, rank, at);
    for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++) {
        const size_t parts = (size_t)blocks->ranks[axis], index = (size_t)at[axis];
        box.begin[axis] = part_begin(blocks->points[axis], parts, index);
        box.size[axis] = part_begin(blocks->points[axis], parts, index + 1) - box.begin[axis];
    }
    return box;
}

int wave_neighbour(const struct wave_blocks *blocks, int rank, enum wave_axis axis, int step)
{
    int at[WAVE_AXES];
    locate(blocks, rank, at);
    at[axis] = (at[axis] + blocks->ranks[axis] + step) % blocks->ranks[axis];
    return (at[WAVE_Z] * blocks->ranks[WAVE_Y] + at[WAVE_Y]) * blocks->ranks[WAVE_X] + at[WAVE_X];
}

struct place wave_place(const struct wave_blocks *blocks, int rank)
{
    const struct wave_box box = wave_block_of(blocks, rank);
    return (struct place){.row = box.begin[WAVE_Z] * blocks->points[WAVE_Y] + box.begin[WAVE_Y],
                          .rows = box.size[WAVE_Z] * box.size[WAVE_Y],
                          .col = box.begin[WAVE_X],
                          .cols = box.size[WAVE_X],
                          .band = box.size[WAVE_Y],
                          .pitch = blocks->points[WAVE_Y]};
}

struct wave_box wave_box_of_place(const struct problem *problem, struct place place)
{
    const size_t ny = (size_t)problem_size(problem, "ny"), band = place.band ? place.band : ny;
    return (struct wave_box){{place.row / ny, place.row % ny, place.col}, {place.rows / band, band, place.cols}};
}
