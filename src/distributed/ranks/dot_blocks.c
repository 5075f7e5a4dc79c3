/* A dot product with the same bits on any number of ranks. The vectors are cut into blocks of a fixed length, and each
 * block belongs to one rank. One thread computes a block's sum, so the sum is independent of the number of threads and
 * ranks. The blocks' sums are added in one fixed order: a binary tree over all blocks. Each rank adds up what lies
 * within its own blocks; a few nodes of the tree then travel, in as many steps as a tree of the ranks has. */
#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "distributed/ranks/method.h"
#include "kernels/dot/dot.h"
#include "kernels/part.h"

#define BLOCK ((size_t)1 << 17) /* elements: 1 MiB of two vectors of floats */
#define NODES_MOST 128          /* two of each level */

/* A node of the tree: the sum of blocks index · 2^level … (index + 1) · 2^level - 1, as far as there are such. */
struct node {
    uint64_t level, index;
    double sum;
};

/* Nodes whose blocks follow one another; none could be added to its neighbour. */
struct nodes {
    uint64_t count;
    struct node items[NODES_MOST];
};

static size_t nodes_bytes(uint64_t count)
{
    return offsetof(struct nodes, items) + (size_t)count * sizeof(struct node);
}

/* At most so many nodes of that many blocks are sent. */
static uint64_t nodes_of_part(double blocks)
{
    return blocks > 2 ? (uint64_t)fmin(2 * ceil(log2(blocks)), NODES_MOST) : 2;
}

struct state {
    double *sums; /* of this rank's blocks */
    struct nodes own, received;
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
    state->jobs = calloc((size_t)state->threads, sizeof *state->jobs);
    return state->sums && state->jobs ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory");
}

static void finish(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    for (int i = 0; state->jobs && i < state->threads; i++)
        job_finish(&state->jobs[i]);
    free(state->sums);
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

/* ---- the tree -------------------------------------------------------------------------------------------------- */

/* Whether nothing is right of the node: it has no sibling, and is its parent. */
static bool is_last(const struct node *node, uint64_t blocks)
{
    return node->index > 0 && (node->index + 1) << node->level >= blocks;
}

/* Adds a node whose blocks follow those of the list; siblings become their parent. */
static void nodes_push(struct nodes *nodes, struct node node, uint64_t blocks)
{
    for (;;) {
        const struct node *top = nodes->count ? &nodes->items[nodes->count - 1] : NULL;
        if (node.index % 2 == 0 && is_last(&node, blocks)) {
            node = (struct node){node.level + 1, node.index / 2, node.sum};
        } else if (node.index % 2 == 1 && top && top->level == node.level && top->index + 1 == node.index) {
            node = (struct node){node.level + 1, node.index / 2, top->sum + node.sum};
            nodes->count--;
        } else {
            break;
        }
    }
    nodes->items[nodes->count++] = node;
}

static void add_own(struct method_run *run)
{
    struct state *state = run->state;
    struct place own = place(NULL, &run->arrays[0], 0, run->ranks.rank, run->ranks.count);
    const size_t first = own.col / BLOCK, count = blocks_of(own.cols), blocks = blocks_of(run->arrays[0].cols);
    state->own.count = 0;
    for (size_t i = 0; i < count; i++)
        nodes_push(&state->own, (struct node){0, first + i, state->sums[i]}, blocks);
}

/* The nodes of `step` ranks go to a rank before them, which then has those of twice as many. */
static enum status add_others(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    const struct ranks *ranks = &run->ranks;
    const size_t blocks = blocks_of(run->arrays[0].cols);
    enum status status = STATUS_OK;
    for (int step = 1; status == STATUS_OK && step < ranks->count; step *= 2) {
        const bool receives = ranks->rank % (2 * step) == 0;
        void *message = NULL;
        if (receives && ranks->rank + step >= ranks->count)
            continue;
        status =
            receives
                ? ranks_receive(ranks, &state->received, sizeof state->received, ranks->rank + step, &message, error)
                : ranks_send(ranks, &state->own, nodes_bytes(state->own.count), ranks->rank - step, &message, error);
        struct error later;
        status = method_outcome(status, error, ranks_wait(ranks, &message, 1, &later), &later);
        for (size_t i = 0; status == STATUS_OK && receives && i < state->received.count; i++)
            nodes_push(&state->own, state->received.items[i], blocks);
        if (!receives)
            break;
    }
    return status;
}

static enum status run_once(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    struct error later;
    enum status status = sum_own(run, error);
    add_own(run);
    status = method_outcome(status, error, add_others(run, &later), &later);
    if (status == STATUS_OK && run->ranks.rank == 0)
        *(double *)run->parts[2] = state->own.count ? state->own.items[0].sum : 0;
    return status;
}

/* The first message goes to the next rank, each later one twice as far. */
static struct traffic traffic(const struct problem *problem, int count)
{
    const double blocks = (double)blocks_of((size_t)problem_size(problem, "n")), steps = tree_steps(count);
    struct traffic traffic = {.work = largest_share(blocks, count)};
    traffic_add(&traffic, OPERATION_NEAR, fmin(steps, 1), (double)nodes_bytes(nodes_of_part(blocks / count)));
    traffic_add(&traffic, OPERATION_FAR, steps - 1, (double)nodes_bytes(nodes_of_part(blocks / 2)));
    return traffic;
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
