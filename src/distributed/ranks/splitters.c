#include "distributed/ranks/splitters.h"

#include <stdlib.h>
#include <string.h>

/* Candidates for each splitter in one round. */
static size_t tried(const struct splitters *splitters)
{
    return ((size_t)1 << splitters->digit) - 1;
}

enum status splitters_make(struct splitters *splitters, int ranks, size_t count, unsigned key_bits, unsigned digit,
                           struct error *error)
{
    *splitters = (struct splitters){.ranks = ranks, .count = count, .key_bits = key_bits, .digit = digit};
    size_t most = tried(splitters) * count + 1;
    splitters->wanted = calloc(count + 1, sizeof *splitters->wanted);
    splitters->keys = calloc(count + 1, sizeof *splitters->keys);
    splitters->candidates = calloc(most, sizeof *splitters->candidates);
    splitters->own = calloc(most, sizeof *splitters->own);
    splitters->all = calloc(most * (size_t)ranks, sizeof *splitters->all);
    return splitters->wanted && splitters->keys && splitters->candidates && splitters->own && splitters->all
               ? STATUS_OK
               : fail(error, STATUS_UNAVAILABLE, "no memory");
}

void splitters_free(struct splitters *splitters)
{
    free(splitters->wanted);
    free(splitters->keys);
    free(splitters->candidates);
    free(splitters->own);
    free(splitters->all);
    *splitters = (struct splitters){0};
}

/* Gathers every rank's tallies. */
static enum status tally_all(struct splitters *splitters, const struct ranks *ranks, const uint64_t *candidates,
                             size_t count, bool both, count_keys *tally, void *context, struct error *error)
{
    enum status status = tally(context, candidates, count, both, splitters->own, error);
    return status == STATUS_OK
               ? ranks_gather_to_all(ranks, splitters->own, count * sizeof *splitters->own, splitters->all, error)
               : status;
}

/* Number of keys below candidate `index` of `count`, over all ranks. */
static uint64_t total_below(const struct splitters *splitters, size_t index, size_t count)
{
    uint64_t total = 0;
    for (size_t r = 0; r < (size_t)splitters->ranks; r++)
        total += splitters->all[r * count + index].below;
    return total;
}

/* The largest digit whose candidate has no more elements below it than wanted; the candidates ascend. */
static size_t find_digit(const struct splitters *splitters, size_t splitter)
{
    const size_t all = splitters->count * tried(splitters), first = splitter * tried(splitters);
    size_t low = 0, high = tried(splitters);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (total_below(splitters, first + middle, all) <= splitters->wanted[splitter])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum status splitters_find(struct splitters *splitters, const struct ranks *ranks, count_keys *tally, void *context,
                           struct error *error)
{
    const size_t each = tried(splitters), count = splitters->count * each;
    enum status status = STATUS_OK;
    memset(splitters->keys, 0, splitters->count * sizeof *splitters->keys);
    for (unsigned shift = splitters->key_bits; status == STATUS_OK && shift > 0;) {
        shift -= splitters->digit;
        for (size_t i = 0; i < count; i++)
            splitters->candidates[i] = splitters->keys[i / each] | (uint64_t)(i % each + 1) << shift;
        status = tally_all(splitters, ranks, splitters->candidates, count, false, tally, context, error);
        for (size_t s = 0; status == STATUS_OK && s < splitters->count; s++)
            splitters->keys[s] |= (uint64_t)find_digit(splitters, s) << shift;
    }
    return status == STATUS_OK
               ? tally_all(splitters, ranks, splitters->keys, splitters->count, true, tally, context, error)
               : status;
}

size_t splitters_cut(const struct splitters *splitters, size_t splitter, int rank)
{
    uint64_t missing = splitters->wanted[splitter] - total_below(splitters, splitter, splitters->count);
    for (size_t r = 0; r < (size_t)rank; r++) {
        const struct tally *tally = &splitters->all[r * splitters->count + splitter];
        uint64_t equal = tally->up_to - tally->below;
        missing -= equal < missing ? equal : missing;
    }
    const struct tally *own = &splitters->all[(size_t)rank * splitters->count + splitter];
    uint64_t equal = own->up_to - own->below;
    return (size_t)(own->below + (equal < missing ? equal : missing));
}
