/* Exact splitters of all ranks' sorted keys, by rounds of counting. In each round every rank counts its keys below each
 * candidate, and the counts are added by an all-reduce; a last prefix sum deals equal keys out over the ranks. No rank
 * holds another's counts.
 *
 * Exact splitting by rounds of counting: C. Siebert, F. Wolf, "A scalable parallel sorting algorithm using exact
 * splitting" (2011). */
#pragma once

#include "distributed/ranks/ranks.h"

/* One round's searches: splitters->count * each, splitter by splitter. */
struct splitter_round {
    const uint64_t *keys; /* of the splitters, as far as they are found */
    size_t splitters, each;
    unsigned shift; /* candidate i of a splitter, 0 … each - 1: its key with the digit i + 1 at this bit */
    bool last;      /* two for each splitter: the keys below its key, and those not above it */
};

static inline uint64_t splitter_candidate(const struct splitter_round *round, size_t search)
{
    uint64_t digit = round->last ? 0 : search % round->each + 1;
    return round->keys[search / round->each] | digit << round->shift;
}

/* Counts this rank's keys for every search of the round. Not collective: where it fails, all ranks are told. */
typedef enum status count_keys(void *context, const struct splitter_round *round, uint64_t *counts,
                               struct error *error);

struct splitters {
    size_t count;
    unsigned key_bits, digit; /* bits of a key, and those found in one round, a divisor of it */
    uint64_t *wanted;         /* the number of elements of all ranks before each splitter */
    uint64_t *keys;           /* found; elements from the splitter on have at least this key */
    uint64_t *own, *all;      /* a round's counts and then its failures: of this rank; their sums over all ranks */
    uint64_t *cuts;           /* found: where this rank cuts its keys. Smaller keys go before the cut; of equal ones as
                                 many as are still missing there, rank by rank */
};

/* The caller writes `wanted`, in ascending order, and frees the splitters, on failure too. Larger digits take fewer
 * rounds, with 2^digit - 1 candidates for each splitter. */
enum status splitters_make(struct splitters *splitters, size_t count, unsigned key_bits, unsigned digit,
                           struct error *error);
void splitters_free(struct splitters *splitters);

/* Collective. */
enum status splitters_find(struct splitters *splitters, const struct ranks *ranks, count_keys *count, void *context,
                           struct error *error);
