#include "distributed/ranks/splitters.h"

#include <stdlib.h>
#include <string.h>

#include "distributed/ranks/method.h"

/* Candidates for each splitter in one round. */
static size_t tried(const struct splitters *splitters)
{
    return ((size_t)1 << splitters->digit) - 1;
}

enum status splitters_make(struct splitters *splitters, int ranks, size_t count, unsigned key_bits, unsigned digit,
                           struct error *error)
{
    *splitters = (struct splitters){.ranks = ranks, .count = count, .key_bits = key_bits, .digit = digit};
    size_t most = (tried(splitters) > 2 ? tried(splitters) : 2) * count + 1;
    splitters->wanted = calloc(count + 1, sizeof *splitters->wanted);
    splitters->keys = calloc(count + 1, sizeof *splitters->keys);
    splitters->own = calloc(most, sizeof *splitters->own);
    splitters->all = calloc(most * (size_t)ranks, sizeof *splitters->all);
    return splitters->wanted && splitters->keys && splitters->own && splitters->all
               ? STATUS_OK
               : fail(error, STATUS_UNAVAILABLE, "no memory");
}

void splitters_free(struct splitters *splitters)
{
    free(splitters->wanted);
    free(splitters->keys);
    free(splitters->own);
    free(splitters->all);
    *splitters = (struct splitters){0};
}

/* Gathers every rank's counts; behind them its status, so that the ranks need no message more to agree. */
static enum status count_all(struct splitters *splitters, const struct ranks *ranks, const struct splitter_round *round,
                             count_keys *count, void *context, struct error *error)
{
    const size_t searches = round->splitters * round->each;
    enum status status = count(context, round, splitters->own, error), gathered;
    struct error later;
    bool failed = false;
    splitters->own[searches] = status;
    gathered = ranks_gather_to_all(ranks, splitters->own, (searches + 1) * sizeof(uint64_t), splitters->all, &later);
    if (gathered != STATUS_OK)
        return method_outcome(status, error, gathered, &later);
    for (size_t r = 1; r <= (size_t)splitters->ranks; r++)
        failed = failed || splitters->all[r * (searches + 1) - 1] != STATUS_OK;
    return failed ? ranks_agree(ranks, status, error) : STATUS_OK;
}

/* Sum over all ranks of what search `index` of `searches` counted. */
static uint64_t total(const struct splitters *splitters, size_t index, size_t searches)
{
    uint64_t sum = 0;
    for (size_t r = 0; r < (size_t)splitters->ranks; r++)
        sum += splitters->all[r * (searches + 1) + index];
    return sum;
}

/* The largest digit whose candidate has no more elements below it than wanted; the candidates ascend. */
static size_t find_digit(const struct splitters *splitters, size_t splitter)
{
    const size_t all = splitters->count * tried(splitters), first = splitter * tried(splitters);
    size_t low = 0, high = tried(splitters);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (total(splitters, first + middle, all) <= splitters->wanted[splitter])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum status splitters_find(struct splitters *splitters, const struct ranks *ranks, count_keys *count, void *context,
                           struct error *error)
{
    struct splitter_round round = {
        .keys = splitters->keys, .splitters = splitters->count, .each = tried(splitters), .shift = splitters->key_bits};
    enum status status = STATUS_OK;
    memset(splitters->keys, 0, splitters->count * sizeof *splitters->keys);
    while (status == STATUS_OK && round.shift > 0) {
        round.shift -= splitters->digit;
        status = count_all(splitters, ranks, &round, count, context, error);
        for (size_t s = 0; status == STATUS_OK && s < splitters->count; s++)
            splitters->keys[s] |= (uint64_t)find_digit(splitters, s) << round.shift;
    }
    round.last = true;
    round.each = 2;
    return status == STATUS_OK ? count_all(splitters, ranks, &round, count, context, error) : status;
}

size_t splitters_cut(const struct splitters *splitters, size_t splitter, int rank)
{
    const size_t searches = 2 * splitters->count;
    uint64_t missing = splitters->wanted[splitter] - total(splitters, 2 * splitter, searches), equal = 0;
    const uint64_t *counts = splitters->all + 2 * splitter;
    for (size_t r = 0; r <= (size_t)rank; r++) {
        missing -= equal;
        counts = splitters->all + r * (searches + 1) + 2 * splitter;
        equal = counts[1] - counts[0] < missing ? counts[1] - counts[0] : missing;
    }
    return (size_t)(counts[0] + equal);
}
