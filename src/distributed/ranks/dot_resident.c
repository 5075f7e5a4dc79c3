/* A dot product with the same bits on any number of ranks, with the vectors in the memory of each rank's device. Leaves
 * and kernels are those of several devices of one process (distributed/dot). The leaves' sums, 64 KiB at most, reach
 * rank 0's device, which adds them, through host memory and MPI, or by NCCL. */
#include <stdlib.h>

#include "base/size.h"
#include "distributed/dot/dot.h"
#include "distributed/dot/leaf_kernels.h"
#include "distributed/ranks/rank_nccl.h"
#include "distributed/ranks/resident.h"

struct state {
    struct resident resident;
    struct leaves leaves; /* their sums, of this rank and on rank 0 then of all, are resident.sent */
    double *own, *all;    /* in host memory; `all`: as many for each rank as rank_leaves_most */
};

/* The vectors are divided by whole leaves; the results belong to rank 0. */
static struct place place(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    if (index >= 2)
        return (struct place){.rows = 1, .cols = rank == 0};
    struct leaves leaves = leaves_of(problem);
    size_t begin = size_least(leaves_begin(leaves, (size_t)count, (size_t)rank) * leaves.leaf, array->cols);
    size_t end = size_least(leaves_begin(leaves, (size_t)count, (size_t)rank + 1) * leaves.leaf, array->cols);
    return (struct place){.rows = 1, .col = begin, .cols = end - begin};
}

static size_t rank_leaves(const struct method_run *run, int rank)
{
    const struct state *state = run->state;
    size_t count = (size_t)run->ranks.count;
    return leaves_begin(state->leaves, count, (size_t)rank + 1) - leaves_begin(state->leaves, count, (size_t)rank);
}

static size_t rank_leaves_most(const struct method_run *run)
{
    const struct state *state = run->state;
    return state->leaves.count / (size_t)run->ranks.count + 1;
}

static enum status prepare(struct method_run *run, struct error *error)
{
    enum status status = resident_begin(run, sizeof(struct state), error);
    if (status != STATUS_OK)
        return status;
    struct state *state = run->state;
    state->leaves = leaves_of(run->problem);
    for (int r = 1; run->ranks.rank == 0 && r < run->ranks.count; r++) {
        state->resident.receive.bytes[r] = rank_leaves(run, r) * sizeof(double);
        state->resident.receive.offsets[r] =
            leaves_begin(state->leaves, (size_t)run->ranks.count, (size_t)r) * sizeof(double);
    }
    if (run->ranks.rank > 0)
        state->resident.send.bytes[0] = rank_leaves(run, run->ranks.rank) * sizeof(double);
    state->own = calloc(rank_leaves_most(run), sizeof *state->own);
    state->all = calloc(rank_leaves_most(run) * (size_t)run->ranks.count, sizeof *state->all);
    if (!state->own || !state->all)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    status = buffer_allocate(run->device, (state->leaves.count + 1) * sizeof(double), &state->resident.sent, error);
    return status == STATUS_OK ? leaf_kernels_build(run->device, run->problem->type, &state->resident.program, error)
                               : status;
}

static void finish(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    free(state->own);
    free(state->all);
    resident_end(run);
}

static enum status sum_own(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    const struct buffer *parts = state->resident.parts;
    const struct leaf_sums sums = {
        .a = &parts[0], .b = &parts[1], .sums = &state->resident.sent, .leaf = state->leaves.leaf};
    size_t elements = state->resident.bytes[0] / element_info(run->problem->type)->bytes;
    enum status status = leaf_kernels_add(state->resident.program, &sums, elements, error);
    if (status == STATUS_OK && run->ranks.count > 1 && !state->resident.nccl)
        status = buffer_read(&state->resident.sent, 0, state->own, rank_leaves(run, run->ranks.rank) * sizeof(double),
                             error);
    return status;
}

/* The sums of all ranks' leaves to rank 0's device, in their order. */
static enum status collect(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    size_t all = 0;
    for (int r = 0; r < run->ranks.count; r++)
        for (size_t i = 0; i < rank_leaves(run, r); i++)
            state->all[all++] = state->all[(size_t)r * rank_leaves_most(run) + i];
    return buffer_write(&state->resident.sent, 0, state->all, all * sizeof(double), error);
}

static enum status gather_through_host(struct method_run *run, enum status status, struct error *error)
{
    struct state *state = run->state;
    struct error later;
    enum status gathered =
        ranks_gather_to_all(&run->ranks, state->own, rank_leaves_most(run) * sizeof(double), state->all, &later);
    status = method_outcome(status, error, gathered, &later);
    return status == STATUS_OK && run->ranks.rank == 0 ? collect(run, error) : status;
}

/* The sums travel in the device's queue, between those of the leaves and of all. */
static enum status gather_by_nccl(struct method_run *run, enum status status, struct error *error)
{
    struct state *state = run->state;
    struct error later;
    enum status gathered = rank_nccl_exchange(state->resident.nccl, &state->resident.sent, &state->resident.send,
                                              &state->resident.sent, &state->resident.receive, &later);
    return method_outcome(status, error, gathered, &later);
}

static enum status run_once(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    struct error later;
    enum status status = sum_own(run, error);
    if (run->ranks.count > 1)
        status = state->resident.nccl ? gather_by_nccl(run, status, error) : gather_through_host(run, status, error);
    if (status == STATUS_OK && run->ranks.rank == 0)
        status = leaf_kernels_total(state->resident.program, &state->resident.sent, state->leaves.count,
                                    &state->resident.parts[2], error);
    if (status == STATUS_SYSTEM)
        return status;
    return method_outcome(status, error,
                          state->resident.nccl ? rank_nccl_wait(state->resident.nccl, &later)
                                               : device_synchronize(run->device, &later),
                          &later);
}

static struct traffic traffic(const struct problem *problem, int count)
{
    const double leaves = (double)leaves_of(problem).count;
    return (struct traffic){.work = largest_share(leaves, count),
                            .of[OPERATION_EXCHANGE] = {count > 1, 8 * leaves / count}};
}

RESIDENT_METHODS(
    dot,
    "at most 8192 leaves of one length, each one group's work on a device, added up in one fixed order: the "
    "same bits everywhere",
    "as resident; NCCL brings the leaves' sums to rank 0's device, which adds them", .place = place, .begin = prepare,
    .end = finish, .run = run_once, .traffic = traffic);
