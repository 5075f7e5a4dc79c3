#include <math.h>

#include "kernels/transpose/block.h"

/* Each thread has a run of neighbouring blocks, so two threads rarely write to one line. The code that all threads run
 * is outside this function: inside it the compiler would no longer know `bytes`. */
static FOR_EACH_SIZE void turn(const struct transposition *t, size_t bytes)
{
    size_t down = t->rows / BLOCK + (t->rows % BLOCK != 0), across = t->cols / BLOCK + (t->cols % BLOCK != 0);
/* begin deal */
#pragma omp for collapse(2) schedule(static)
    for (size_t i = 0; i < down; i++)
        for (size_t j = 0; j < across; j++)
            transpose_block(*t, i * BLOCK, j * BLOCK, bytes);
    /* end deal */
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct transposition t = transposition_of(run);
#pragma omp parallel
    CALL_FOR_SIZE(t.bytes, turn, &t);
    return STATUS_OK;
}

#define BEGIN_ELEMENTS 5000.0 /* what could be copied while the threads begin */

/* The busiest thread's blocks, and the call. */
static double load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    (void)parameters;
    const double rows = (double)problem->values[TRANSPOSE_ROWS].size,
                 cols = (double)problem->values[TRANSPOSE_COLS].size;
    const double blocks = ceil(rows / BLOCK) * ceil(cols / BLOCK);
    return BEGIN_ELEMENTS + rows * cols * ceil(blocks / threads) / blocks;
}

const struct rung transpose_parallel = {
    .name = "parallel",
    .idea = "the blocks are divided among all cores: one core alone cannot saturate memory",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .load = load,
    .enqueue = enqueue,
};
