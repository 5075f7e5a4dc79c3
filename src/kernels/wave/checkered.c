#include "kernels/wave/checkered.h"

#include "base/random.h"

#define MEAN 4096 /* numbers of more bits than those of 16 bits keep */
#define MOST 250  /* away from it */
#define CELLS 8

static double *cell(struct checkered_field *field, size_t index)
{
    return &field->values[index / 4][index / 2 % 2][index % 2];
}

/* Which cell a cell has the value of: the first along each axis of odd length. */
static size_t stands_for(const struct wave_grid *grid, size_t index)
{
    size_t z = grid->nz % 2 ? 0 : index / 4, y = grid->ny % 2 ? 0 : index / 2 % 2, x = grid->nx % 2 ? 0 : index % 2;
    return 4 * z + 2 * y + x;
}

static void fill(const struct problem *problem, size_t which, struct checkered_field *field)
{
    struct wave_grid grid = wave_grid_of(problem);
    for (size_t i = 0; i < CELLS; i++) {
        uint64_t word = random_word(problem->seed, which * CELLS + stands_for(&grid, i));
        *cell(field, i) = (double)((int64_t)(word >> 32) % (2 * MOST + 1) - MOST + MEAN);
    }
}

static double sum(struct checkered_field *field)
{
    double total = 0;
    for (size_t i = 0; i < CELLS; i++)
        total += *cell(field, i);
    return total;
}

/* Moves values of `field` by one towards the mean of `other`, in turn and within the limits, until the means agree: a
 * mean that changes would go on to change with every step. */
static void give_mean_of(const struct wave_grid *grid, struct checkered_field *other, struct checkered_field *field)
{
    double difference;
    for (size_t i = 0; (difference = sum(other) - sum(field)) != 0; i = (i + 1) % CELLS) {
        double step = difference > 0 ? 1 : -1;
        double moved = *cell(field, i) + step;
        if (stands_for(grid, i) != i || moved > MEAN + MOST || moved < MEAN - MOST)
            continue;
        for (size_t same = 0; same < CELLS; same++)
            if (stands_for(grid, same) == i)
                *cell(field, same) = moved;
    }
}

void checkered_inputs(const struct problem *problem, struct checkered_field *previous, struct checkered_field *current)
{
    struct wave_grid grid = wave_grid_of(problem);
    fill(problem, 0, previous);
    fill(problem, 1, current);
    give_mean_of(&grid, previous, current);
}

/* Both neighbours along an axis have the other parity, and those at distance 2 its own: the weights together are
 * 19/32 - 6/64 for a point, and 2/4 for each of its three neighbours. */
struct checkered_field checkered_result(const struct problem *problem)
{
    struct wave_grid grid = wave_grid_of(problem);
    struct checkered_field before, here;
    checkered_inputs(problem, &before, &here);
    for (size_t step = 0; step < grid.steps; step++) {
        struct checkered_field next;
        for (size_t i = 0; i < CELLS; i++)
            *cell(&next, i) =
                0.5 * (*cell(&here, i) + *cell(&here, i ^ 1) + *cell(&here, i ^ 2) + *cell(&here, i ^ 4)) -
                *cell(&before, i);
        before = here;
        here = next;
    }
    return here;
}

void checkered_row(const struct checkered_field *field, size_t nx, size_t y, size_t z, double *row)
{
    for (size_t x = 0; x < nx; x++)
        row[x] = field->values[z % 2][y % 2][x % 2];
}
