#include "explain/memory/footprint.h"

#include <stdlib.h>

/* An entry packs a group's number, from 1, above a sector's number; zero is a free entry. Offsets in the arena have 40
 * bits. */
enum { SECTOR_BITS = 36, FIRST_CAPACITY = 1 << 12 };

void footprint_free(struct footprint *footprint)
{
    free(footprint->entries);
    *footprint = (struct footprint){0};
}

void footprint_begin_group(struct footprint *footprint)
{
    footprint->group++;
    footprint->count = 0;
}

static bool is_taken(const struct footprint *footprint, uint64_t entry)
{
    return entry >> SECTOR_BITS == footprint->group + 1;
}

/* The sector's entry, or the free entry for it. */
static uint64_t *find(const struct footprint *footprint, uint64_t entry)
{
    size_t mask = footprint->capacity - 1;
    size_t slot = (size_t)(entry * 0x9e3779b97f4a7c15u >> 20) & mask;
    while (is_taken(footprint, footprint->entries[slot]) && footprint->entries[slot] != entry)
        slot = (slot + 1) & mask;
    return &footprint->entries[slot];
}

static bool grow(struct footprint *footprint)
{
    struct footprint larger = {.capacity = footprint->capacity ? 2 * footprint->capacity : FIRST_CAPACITY,
                               .count = footprint->count,
                               .group = footprint->group};
    larger.entries = calloc(larger.capacity, sizeof *larger.entries);
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < footprint->capacity; i++)
        if (is_taken(footprint, footprint->entries[i]))
            *find(&larger, footprint->entries[i]) = footprint->entries[i];
    free(footprint->entries);
    *footprint = larger;
    return true;
}

bool footprint_add(struct footprint *footprint, const struct warp_access *access, unsigned *added)
{
    uint64_t last = UINT64_MAX;
    *added = 0;
    while (2 * (footprint->count + (size_t)2 * WARP_LANES) > footprint->capacity)
        if (!grow(footprint))
            return false;
    for (uint32_t left = access->mask; left; left &= left - 1) {
        uint64_t at = access->at[__builtin_ctz(left)];
        for (uint64_t sector = at / FOOTPRINT_SECTOR; sector <= (at + access->bytes - 1) / FOOTPRINT_SECTOR; sector++) {
            if (sector == last)
                continue;
            last = sector;
            uint64_t entry = (footprint->group + 1) << SECTOR_BITS | sector, *found = find(footprint, entry);
            if (*found == entry)
                continue;
            *found = entry;
            footprint->count++;
            ++*added;
        }
    }
    return true;
}
