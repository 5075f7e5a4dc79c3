/* A sample sort whose splitters are exact. Each rank sorts its part; the splitters are found by bisection on the keys,
 * all at once: in each round every rank counts its keys below each candidate, and the counts are added up. So each rank
 * ends with exactly as many elements as it began with, whatever the data are. Then one exchange of all with all, and
 * each rank sorts what it got.
 *
 * Exact splitting by rounds of counting: C. Siebert, F. Wolf, "A scalable parallel sorting algorithm using exact
 * splitting" (2011). */
#include <stdlib.h>
#include <string.h>

#include "distributed/ranks/method.h"
#include "kernels/part.h"
#include "kernels/sort/sort.h"

/* Keys that are below a splitter, and those that are not above it. */
struct tally {
    uint64_t below, up_to;
};

struct state {
    void *received;
    struct rank_pieces send, receive;
    uint64_t *splitters; /* count - 1 keys: rank r's first element has a key of at least splitters[r - 1] */
    struct tally *own;   /* count - 1: of this rank's keys */
    struct tally *all;   /* the same of all ranks, rank by rank */
};

static struct place place(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    (void)problem, (void)index;
    size_t begin = part_begin(array->cols, (size_t)count, (size_t)rank);
    return (struct place){
        .rows = 1, .col = begin, .cols = part_begin(array->cols, (size_t)count, (size_t)rank + 1) - begin};
}

static enum status prepare(struct method_run *run, struct error *error)
{
    size_t count = (size_t)run->ranks.count;
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state || !rank_pieces_make(&state->send, run->ranks.count) ||
        !rank_pieces_make(&state->receive, run->ranks.count))
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    state->splitters = calloc(count, sizeof *state->splitters);
    state->own = calloc(count, sizeof *state->own);
    state->all = calloc(count * count, sizeof *state->all);
    if (!state->splitters || !state->own || !state->all)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    size_t own = place(NULL, &run->arrays[0], 0, run->ranks.rank, run->ranks.count).cols;
    return method_allocate(&state->received, own * element_info(run->problem->type)->bytes, error);
}

static void finish(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    free(state->received);
    free(state->splitters);
    free(state->own);
    free(state->all);
    rank_pieces_free(&state->send);
    rank_pieces_free(&state->receive);
    free(state);
    run->state = NULL;
}

/* Sorted elements, read as keys. */
struct keys {
    const void *data;
    size_t count, bytes;
    struct key_order order;
};

/* How many keys are below `key`; with `equal` how many are not above it. */
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

/* Every rank's tallies for the splitters as they stand. */
static enum status tally_all(struct method_run *run, const struct keys *keys, struct error *error)
{
    struct state *state = run->state;
    size_t splitters = (size_t)run->ranks.count - 1;
    for (size_t i = 0; i < splitters; i++)
        state->own[i] =
            (struct tally){count_below(keys, state->splitters[i], false), count_below(keys, state->splitters[i], true)};
    return ranks_gather_to_all(&run->ranks, state->own, splitters * sizeof *state->own, state->all, error);
}

/* The keys of all ranks below a splitter. */
static uint64_t total_below(const struct method_run *run, size_t splitter)
{
    const struct state *state = run->state;
    size_t count = (size_t)run->ranks.count;
    uint64_t total = 0;
    for (size_t r = 0; r < count; r++)
        total += state->all[r * (count - 1) + splitter].below;
    return total;
}

/* The elements of the ranks before the one that a splitter begins. */
static uint64_t wanted_below(const struct method_run *run, size_t splitter)
{
    return part_begin(run->arrays[0].cols, (size_t)run->ranks.count, splitter + 1);
}

/* The largest keys that no more elements are below than belong to the ranks before: bit by bit from the highest. */
static enum status find_splitters(struct method_run *run, const struct keys *keys, struct error *error)
{
    struct state *state = run->state;
    size_t splitters = (size_t)run->ranks.count - 1;
    enum status status = STATUS_OK;
    memset(state->splitters, 0, splitters * sizeof *state->splitters);
    for (unsigned bit = (unsigned)keys->bytes * 8; status == STATUS_OK && bit-- > 0;) {
        for (size_t i = 0; i < splitters; i++)
            state->splitters[i] |= (uint64_t)1 << bit;
        status = tally_all(run, keys, error);
        for (size_t i = 0; status == STATUS_OK && i < splitters; i++)
            if (total_below(run, i) > wanted_below(run, i))
                state->splitters[i] &= ~((uint64_t)1 << bit);
    }
    return status;
}

/* Where rank `rank` cuts its elements for splitter i: what is below goes before, and of what equals the splitter as
 * much as is still missing there, rank by rank. */
static size_t cut_of(const struct method_run *run, size_t splitter, size_t rank)
{
    const struct state *state = run->state;
    size_t splitters = (size_t)run->ranks.count - 1;
    uint64_t missing = wanted_below(run, splitter) - total_below(run, splitter);
    for (size_t r = 0; r < rank; r++) {
        const struct tally *tally = &state->all[r * splitters + splitter];
        uint64_t equal = tally->up_to - tally->below;
        missing -= equal < missing ? equal : missing;
    }
    const struct tally *own = &state->all[rank * splitters + splitter];
    uint64_t equal = own->up_to - own->below;
    return (size_t)(own->below + (equal < missing ? equal : missing));
}

/* What goes from each rank to each other follows from everybody's cuts, which every rank knows. */
static void plan(struct method_run *run, const struct keys *keys)
{
    struct state *state = run->state;
    size_t count = (size_t)run->ranks.count, rank = (size_t)run->ranks.rank;
    for (size_t r = 0; r < count; r++) {
        size_t own = place(NULL, &run->arrays[0], 0, (int)r, (int)count).cols;
        size_t from = rank == 0 ? 0 : cut_of(run, rank - 1, r), to = rank + 1 == count ? own : cut_of(run, rank, r);
        state->receive.bytes[r] = (to - from) * keys->bytes;
        from = r == 0 ? 0 : cut_of(run, r - 1, rank);
        to = r + 1 == count ? keys->count : cut_of(run, r, rank);
        state->send.bytes[r] = (to - from) * keys->bytes;
    }
    rank_pieces_pack(&state->send, (int)count);
    rank_pieces_pack(&state->receive, (int)count);
    state->send.data = run->parts[0];
    state->receive.data = state->received;
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
    size_t own = place(NULL, &run->arrays[0], 0, run->ranks.rank, run->ranks.count).cols;
    struct keys keys = {.data = run->parts[0],
                        .count = own,
                        .bytes = element_info(run->problem->type)->bytes,
                        .order = key_order(run->problem->type)};
    enum status status = sort_own(run, own, error);
    if (run->ranks.count == 1)
        return status;
    /* A rank whose sort failed holds unsorted keys, whose tallies could be anything: all stop here. */
    status = ranks_agree(&run->ranks, status, error);
    if (status == STATUS_OK)
        status = find_splitters(run, &keys, error);
    if (status == STATUS_OK)
        status = tally_all(run, &keys, error);
    if (status != STATUS_OK)
        return status;
    plan(run, &keys);
    status = ranks_exchange(&run->ranks, &state->send, &state->receive, error);
    if (status != STATUS_OK)
        return status;
    memcpy(run->parts[0], state->received, own * keys.bytes);
    return sort_own(run, own, error);
}

static struct traffic traffic(const struct problem *problem, int count)
{
    double bits = 8.0 * (double)element_info(problem->type)->bytes;
    double bytes = (double)problem_size(problem, "n") * bits / 8 / count;
    if (count == 1)
        return (struct traffic){.work = 1};
    return (struct traffic){.work = 2.0 / count,
                            .messages = (bits + 2) * tree_steps(count) + count - 1,
                            .bytes = bytes * (count - 1) / count + (bits + 1) * 16.0 * count * (count - 1)};
}

const struct method method_sort_splitters = {
    .kernel = "sort",
    .name = "splitters",
    .idea = "each rank sorts its part; exact splitters; one exchange of all with all; each sorts what it got",
    .place = place,
    .begin = prepare,
    .end = finish,
    .run = run_once,
    .traffic = traffic,
};
