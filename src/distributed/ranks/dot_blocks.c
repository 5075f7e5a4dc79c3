/* A dot product with the same bits on any number of ranks. The vectors are cut into blocks of a fixed length, and each
 * block belongs to one rank. One thread computes a block's sum, so the sum is independent of the number of threads and
 * ranks. The blocks' sums are added in one fixed order. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "distributed/ranks/method.h"
#include "kernels/dot/dot.h"
#include "kernels/part.h"

#define BLOCK ((size_t)1 << 17) /* elements: 1 MiB of two vectors of floats */

struct state {
    double *sums; /* of this rank's blocks, with room for the most that a rank has */
    double *all;  /* of all ranks' blocks */
    struct job *jobs;
    int threads;
};

static size_t blocks_of(size_t count)
{
    return (count + BLOCK - 1) / BLOCK;
}

/* The vectors are divided by whole blocks; the results belong to rank 0. */
static struct place place(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    (void)problem;
    if (index >= 2)
        return (struct place){.rows = 1, .cols = rank == 0};
    size_t blocks = blocks_of(array->cols);
    size_t begin = part_begin(blocks, (size_t)count, (size_t)rank) * BLOCK;
    size_t end = part_begin(blocks, (size_t)count, (size_t)rank + 1) * BLOCK;
    begin = begin < array->cols ? begin : array->cols;
    end = end < array->cols ? end : array->cols;
    return (struct place){.rows = 1, .col = begin, .cols = end - begin};
}

/* Maximum number of blocks of a rank: rank 0's. */
static size_t most_blocks(const struct method_run *run)
{
    return part_begin(blocks_of(run->arrays[0].cols), (size_t)run->ranks.count, 1) + 1;
}

static enum status prepare(struct method_run *run, struct error *error)
{
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    bool is_host = run->device->backend->kind == BACKEND_CPU;
    state->threads = is_host ? omp_get_max_threads() : 1;
    state->sums = calloc(most_blocks(run), sizeof *state->sums);
    state->all = calloc(most_blocks(run) * (size_t)run->ranks.count, sizeof *state->all);
    state->jobs = calloc((size_t)state->threads, sizeof *state->jobs);
    return state->sums && state->all && state->jobs ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory");
}

static void finish(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    for (int i = 0; state->jobs && i < state->threads; i++)
        job_finish(&state->jobs[i]);
    free(state->sums);
    free(state->all);
    free(state->jobs);
    free(state);
    run->state = NULL;
}

/* Computes one block's sum with the rung that serves it, in one thread of a parallel region. */
static enum status sum_block(struct method_run *run, struct job *job, size_t block, double *sum, struct error *error)
{
    size_t own = place(NULL, &run->arrays[0], 0, run->ranks.rank, run->ranks.count).cols;
    size_t bytes = element_info(run->problem->type)->bytes, begin = block * BLOCK;
    struct problem local = *run->problem;
    char text[PROBLEM_TEXT_MAX];
    double wide, narrow;
    problem_set_size(&local, "n", (int64_t)(own - begin < BLOCK ? own - begin : BLOCK));
    memset(&wide, 0xE0, sizeof wide); /* the mark of an untouched value in dot_result */
    memset(&narrow, 0xE0, sizeof narrow);
    struct host_arrays data = {
        {(char *)run->parts[0] + begin * bytes, (char *)run->parts[1] + begin * bytes, &wide, &narrow}};
    enum status status = job_do(job, run->device, problem_text(&local, text), data.data, error);
    if (status == STATUS_OK)
        *sum = dot_result(run->problem->type, data);
    return status;
}

static enum status sum_own(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    size_t blocks = blocks_of(place(NULL, &run->arrays[0], 0, run->ranks.rank, run->ranks.count).cols);
    enum status worst = STATUS_OK;
#pragma omp parallel for schedule(static) num_threads(state->threads)
    for (size_t block = 0; block < blocks; block++) {
        struct error why;
        enum status status = sum_block(run, &state->jobs[omp_get_thread_num()], block, &state->sums[block], &why);
        if (status != STATUS_OK)
#pragma omp critical
        {
            *error = why;
            worst = status;
        }
    }
    return worst;
}

/* Adds neighbours, then pairs of pairs: the order depends on the number of blocks alone. */
static double add_up(double *sums, size_t count)
{
    for (; count > 1; count = (count + 1) / 2) {
        for (size_t i = 0; i < count / 2; i++)
            sums[i] = sums[2 * i] + sums[2 * i + 1];
        if (count % 2)
            sums[count / 2] = sums[count - 1];
    }
    return count ? sums[0] : 0;
}

static enum status run_once(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    size_t count = (size_t)run->ranks.count, most = most_blocks(run), all = 0;
    struct error later;
    enum status status = sum_own(run, error);
    enum status gathered =
        ranks_gather_to_all(&run->ranks, state->sums, most * sizeof *state->sums, state->all, &later);
    status = method_outcome(status, error, gathered, &later);
    if (status != STATUS_OK || run->ranks.rank != 0)
        return status;
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < blocks_of(place(NULL, &run->arrays[0], 0, (int)r, (int)count).cols); i++)
            state->all[all++] = state->all[r * most + i];
    *(double *)run->parts[2] = add_up(state->all, all);
    return STATUS_OK;
}

static struct traffic traffic(const struct problem *problem, int count)
{
    size_t blocks = blocks_of((size_t)problem_size(problem, "n"));
    double own = (double)(part_begin(blocks, (size_t)count, 1));
    return (struct traffic){.work = blocks ? (own > 0 ? own : 1) / (double)blocks : 0,
                            .messages = tree_steps(count),
                            .bytes = count > 1 ? 8.0 * (double)blocks : 0};
}

const struct method method_dot_blocks = {
    .kernel = "dot",
    .name = "blocks",
    .idea = "blocks of 2^17 elements, each one thread's work, added up in one fixed order: the same bits everywhere",
    .place = place,
    .begin = prepare,
    .end = finish,
    .run = run_once,
    .traffic = traffic,
};
