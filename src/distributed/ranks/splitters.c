#include "distributed/ranks/splitters.h"

#include <stdlib.h>
#include <string.h>

#include "distributed/ranks/method.h"

/* Candidates for each splitter in one round. */
static size_t tried(const struct splitters *splitters)
{
    return ((size_t)1 << splitters->digit) - 1;
}

enum status splitters_make(struct splitters *splitters, size_t count, unsigned key_bits, unsigned digit,
                           struct error *error)
{
    *splitters = (struct splitters){.count = count, .key_bits = key_bits, .digit = digit};
    size_t most = (tried(splitters) > 2 ? tried(splitters) : 2) * count + 1;
    splitters->wanted = calloc(count + 1, sizeof *splitters->wanted);
    splitters->keys = calloc(count + 1, sizeof *splitters->keys);
    splitters->cuts = calloc(count + 1, sizeof *splitters->cuts);
    splitters->own = calloc(most, sizeof *splitters->own);
    splitters->all = calloc(most, sizeof *splitters->all);
    return splitters->wanted && splitters->keys && splitters->cuts && splitters->own && splitters->all
               ? STATUS_OK
               : fail(error, STATUS_UNAVAILABLE, "no memory");
}

void splitters_free(struct splitters *splitters)
{
    free(splitters->wanted);
    free(splitters->keys);
    free(splitters->cuts);
    free(splitters->own);
    free(splitters->all);
    *splitters = (struct splitters){0};
}

/* Adds up every rank's counts; behind them the failures, so that the ranks need no message more to agree. */
static enum status count_all(struct splitters *splitters, const struct ranks *ranks, const struct splitter_round *round,
                             count_keys *count, void *context, struct error *error)
{
    const size_t searches = round->splitters * round->each;
    enum status status = count(context, round, splitters->own, error), added;
    struct error later;
    splitters->own[searches] = status != STATUS_OK;
    memcpy(splitters->all, splitters->own, (searches + 1) * sizeof *splitters->all);
    added = ranks_sum_to_all(ranks, splitters->all, searches + 1, &later);
    if (added != STATUS_OK)
        return method_outcome(status, error, added, &later);
    return splitters->all[searches] > 0 ? ranks_agree(ranks, status, error) : STATUS_OK;
}

/* The largest digit whose candidate has no more elements below it than wanted; the candidates ascend. */
static size_t find_digit(const struct splitters *splitters, size_t splitter)
{
    const size_t first = splitter * tried(splitters);
    size_t low = 0, high = tried(splitters);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (splitters->all[first + middle] <= splitters->wanted[splitter])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* After the last round, which counted the keys below each splitter and those not above it. */
static enum status cut(struct splitters *splitters, const struct ranks *ranks, struct error *error)
{
    const uint64_t *own = splitters->own, *all = splitters->all;
    if (ranks_are_muted(ranks))
        return STATUS_OK;
    for (size_t s = 0; s < splitters->count; s++)
        splitters->cuts[s] = own[2 * s + 1] - own[2 * s];
    enum status status = ranks_sum_before(ranks, splitters->cuts, splitters->count, error);
    for (size_t s = 0; status == STATUS_OK && s < splitters->count; s++) {
        const uint64_t equal = own[2 * s + 1] - own[2 * s], missing = splitters->wanted[s] - all[2 * s];
        const uint64_t left = missing > splitters->cuts[s] ? missing - splitters->cuts[s] : 0;
        splitters->cuts[s] = own[2 * s] + (equal < left ? equal : left);
    }
    return status;
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
    if (status == STATUS_OK)
        status = count_all(splitters, ranks, &round, count, context, error);
    return status == STATUS_OK ? cut(splitters, ranks, error) : status;
}
