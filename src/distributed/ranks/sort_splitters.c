/* A sample sort with exact splitters. Each rank sorts its part. Every rank ends with exactly as many elements as it
 * began with, whatever the data (splitters.h). After one all-to-all exchange, each rank merges the runs it received. */
#include <stdlib.h>
#include <string.h>

#include "distributed/ranks/method.h"
#include "distributed/ranks/sort_parts.h"
#include "distributed/ranks/splitters.h"
#include "kernels/sort/merge_runs.h"

struct state {
    void *received;
    size_t *starts; /* of the received runs, and their end, in elements */
    struct rank_pieces send, receive;
    struct splitters splitters;
};

/* Sorted elements, read as keys. */
struct keys {
    const void *data;
    size_t count, bytes;
    struct key_order order;
};

static size_t own_elements(const struct method_run *run)
{
    return sort_part(run->arrays[0].cols, run->ranks.rank, run->ranks.count);
}

static enum status prepare(struct method_run *run, struct error *error)
{
    struct state *state = run->state = calloc(1, sizeof *state);
    int count = run->ranks.count;
    size_t element = element_info(run->problem->type)->bytes;
    if (state)
        state->starts = calloc((size_t)count + 1, sizeof *state->starts);
    if (!state || !state->starts || !rank_pieces_make(&state->send, count) || !rank_pieces_make(&state->receive, count))
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    /* Bit by bit: counting takes the host longer than a round takes MPI. */
    enum status status = splitters_make(&state->splitters, (size_t)count - 1, 8 * (unsigned)element, 1, error);
    for (int s = 0; status == STATUS_OK && s + 1 < count; s++)
        state->splitters.wanted[s] = sort_part_begin(run->arrays[0].cols, s + 1, count);
    return status == STATUS_OK ? method_allocate(&state->received, own_elements(run) * element, error) : status;
}

static void finish(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    free(state->received);
    free(state->starts);
    rank_pieces_free(&state->send);
    rank_pieces_free(&state->receive);
    splitters_free(&state->splitters);
    free(state);
    run->state = NULL;
}

/* Number of keys below `key`; with `equal`, number of keys not above it. */
static size_t count_below(const struct keys *keys, uint64_t key, bool equal)
{
    size_t low = 0, high = keys->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t found = word_key(word_load(keys->data, middle, keys->bytes), &keys->order, keys->bytes);
        if (found < key || (equal && found == key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static enum status tally(void *context, const struct splitter_round *round, uint64_t *counts, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < round->splitters * round->each; i++)
        counts[i] = count_below(context, splitter_candidate(round, i), round->last && i % 2 == 1);
    return STATUS_OK;
}

/* The sizes of all messages: each rank knows what it sends, and is told what it gets. */
static enum status plan(struct method_run *run, const struct keys *keys, struct error *error)
{
    struct state *state = run->state;
    int count = run->ranks.count;
    for (int r = 0; r < count; r++) {
        struct sort_range out = sort_range(&state->splitters, keys->count, r, 1, 0);
        state->send.bytes[r] = (out.end - out.begin) * keys->bytes;
    }
    enum status status =
        ranks_all_to_all(&run->ranks, state->send.bytes, sizeof *state->send.bytes, state->receive.bytes, error);
    rank_pieces_pack(&state->send, count);
    rank_pieces_pack(&state->receive, count);
    state->send.data = run->parts[0];
    state->receive.data = state->received;
    for (int r = 0; r < count; r++)
        state->starts[r] = state->receive.offsets[r] / keys->bytes;
    state->starts[count] = keys->count;
    return status;
}

static void merge(struct method_run *run, const struct keys *keys)
{
    struct state *state = run->state;
    const struct run_merge merge = {.runs = (size_t)run->ranks.count,
                                    .starts = state->starts,
                                    .count = keys->count,
                                    .bytes = keys->bytes,
                                    .order = keys->order};
    if (merge_runs(&merge, state->received, run->parts[0]) != run->parts[0])
        memcpy(run->parts[0], state->received, keys->count * keys->bytes);
}

static enum status sort_own(struct method_run *run, size_t count, struct error *error)
{
    struct problem local = *run->problem;
    problem_set_size(&local, "n", (int64_t)count);
    return count > 1 ? method_compute(run, &local, (void *[]){run->parts[0]}, error) : STATUS_OK;
}

static enum status run_once(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    size_t own = own_elements(run);
    struct keys keys = {.data = run->parts[0],
                        .count = own,
                        .bytes = element_info(run->problem->type)->bytes,
                        .order = key_order(run->problem->type)};
    enum status status = sort_own(run, own, error);
    if (run->ranks.count == 1)
        return status;
    /* All ranks stop if one rank's sort failed: its keys are unsorted, and its tallies meaningless. */
    status = ranks_agree(&run->ranks, status, error);
    if (status == STATUS_OK)
        status = splitters_find(&state->splitters, &run->ranks, tally, &keys, error);
    if (status != STATUS_OK)
        return status;
    status = plan(run, &keys, error);
    if (status == STATUS_OK)
        status = ranks_exchange(&run->ranks, &state->send, &state->receive, error);
    if (status == STATUS_OK)
        merge(run, &keys);
    return status;
}

/* Comparisons of sorting own elements and of merging the runs add up to a sort's of all, divided by the ranks. */
static struct traffic traffic(const struct problem *problem, int count)
{
    const double n = (double)problem_size(problem, "n"), element = (double)element_info(problem->type)->bytes;
    const double own = largest_share(n, count), splitters = count - 1;
    if (count == 1)
        return (struct traffic){.work = 1};
    return (struct traffic){
        .work = own,
        .of[OPERATION_REDUCE] = {8 * element + 3, 8 * (splitters + 1)}, /* rounds, cuts, and whether all have sorted */
        .of[OPERATION_EXCHANGE] = {2, (own * n * element * splitters / count + 8 * splitters) / 2},
    };
}

const struct method method_sort_splitters = {
    .kernel = "sort",
    .name = "splitters",
    .idea = "each rank sorts its part; exact splitters; one exchange of all with all; received runs are merged",
    .place = sort_place,
    .begin = prepare,
    .end = finish,
    .run = run_once,
    .traffic = traffic,
};
