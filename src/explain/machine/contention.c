#include "explain/machine/contention.h"

#include <stdlib.h>

enum { ENTRIES_MOST = 1 << 20 };

struct contended {
    uint64_t address;
    double weight;
    uint32_t seen; /* 0: free */
};

static struct contended *place_of(const struct contention *contention, uint64_t address)
{
    size_t at = (size_t)((address >> 2) * 0x9e3779b97f4a7c15u >> 32) & (contention->capacity - 1);
    while (contention->entries[at].seen && contention->entries[at].address != address)
        at = (at + 1) & (contention->capacity - 1);
    return &contention->entries[at];
}

static bool grow(struct contention *contention)
{
    struct contention more = {.capacity = contention->capacity ? 2 * contention->capacity : 1024};
    more.entries = calloc(more.capacity, sizeof *more.entries);
    if (!more.entries)
        return false;
    for (size_t i = 0; i < contention->capacity; i++)
        if (contention->entries[i].seen)
            *place_of(&more, contention->entries[i].address) = contention->entries[i];
    more.count = contention->count;
    free(contention->entries);
    *contention = more;
    return true;
}

void contention_add(struct contention *contention, uint64_t address, double weight)
{
    if (2 * contention->count >= contention->capacity && (contention->capacity >= ENTRIES_MOST || !grow(contention))) {
        if (contention->capacity == 0)
            return;
        if (!place_of(contention, address)->seen)
            return; /* so many addresses: none is contended */
    }
    struct contended *entry = place_of(contention, address);
    contention->count += !entry->seen;
    *entry = (struct contended){address, entry->weight + weight, entry->seen + 1};
}

double contention_most(const struct contention *contention)
{
    double most = 0;
    for (size_t i = 0; i < contention->capacity; i++) {
        const struct contended *entry = &contention->entries[i];
        double own = entry->seen == 1 ? 1 : entry->weight;
        most = entry->seen && own > most ? own : most;
    }
    return most;
}

void contention_free(struct contention *contention)
{
    free(contention->entries);
    *contention = (struct contention){.count = 0};
}
