#include "explain/cache/cache_sets.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE_BITS 3 /* of a line's number, that stay as they are: a sample of the lines is one of the sets */
#define SAMPLE_MASK 7

bool cache_sets_make(struct cache_sets *cache, size_t entries, unsigned ways, bool follows_bytes)
{
    ways = ways && ways < entries ? ways : (unsigned)entries;
    *cache = (struct cache_sets){.sets = entries / ways ? entries / ways : 1, .ways = ways};
    cache->is_power = (cache->sets & (cache->sets - 1)) == 0;
    while (((size_t)2 << cache->bits) <= cache->sets)
        cache->bits++;
    size_t count = cache->sets * ways;
    cache->lines = malloc(count * sizeof *cache->lines);
    if (follows_bytes) {
        cache->masks = calloc(count, sizeof *cache->masks);
        cache->sites = calloc(count, sizeof *cache->sites);
    }
    for (size_t i = 0; cache->lines && i < count; i++)
        cache->lines[i] = NO_LINE;
    return cache->lines && (!follows_bytes || (cache->masks && cache->sites));
}

void cache_sets_free(struct cache_sets *cache)
{
    free(cache->lines);
    free(cache->masks);
    free(cache->sites);
}

size_t cache_sets_of(const struct cache_sets *cache, uint64_t line)
{
    if (!cache->is_power)
        return line % cache->sets * cache->ways;
    if (cache->is_hashed && cache->bits > SAMPLE_BITS)
        line ^=
            (line >> (cache->bits - SAMPLE_BITS) ^ line >> (2 * cache->bits - SAMPLE_BITS)) & ~(uint64_t)SAMPLE_MASK;
    return (line & (cache->sets - 1)) * cache->ways;
}

/* Moves an entry of the set to its front. The distances are short, so loops are cheaper than calls of memmove. */
static void move_to_front(struct cache_sets *cache, size_t set, unsigned way)
{
    uint64_t *lines = cache->lines + set, line = lines[way];
    for (unsigned i = way; i > 0; i--)
        lines[i] = lines[i - 1];
    lines[0] = line;
    if (!cache->masks || way == 0)
        return;
    uint64_t *masks = cache->masks + set, mask = masks[way];
    uint32_t *sites = cache->sites + set, site = sites[way];
    for (unsigned i = way; i > 0; i--) {
        masks[i] = masks[i - 1];
        sites[i] = sites[i - 1];
    }
    masks[0] = mask;
    sites[0] = site;
}

bool cache_sets_find(struct cache_sets *cache, uint64_t line)
{
    size_t set = cache_sets_of(cache, line);
    if ((cache->lines[set] & ~DIRTY) == line)
        return true;
    for (unsigned way = 1; way < cache->ways; way++)
        if ((cache->lines[set + way] & ~DIRTY) == line) {
            move_to_front(cache, set, way);
            return true;
        }
    return false;
}

uint64_t cache_sets_insert(struct cache_sets *cache, uint64_t line, size_t *set)
{
    *set = cache_sets_of(cache, line);
    uint64_t out = cache->lines[*set + cache->ways - 1];
    move_to_front(cache, *set, cache->ways - 1);
    cache->lines[*set] = line;
    return out;
}

uint64_t cache_sets_remove(struct cache_sets *cache, uint64_t line)
{
    size_t set = cache_sets_of(cache, line);
    for (unsigned way = 0; way < cache->ways; way++)
        if ((cache->lines[set + way] & ~DIRTY) == line) {
            uint64_t found = cache->lines[set + way];
            memmove(&cache->lines[set + way], &cache->lines[set + way + 1],
                    (cache->ways - 1 - way) * sizeof *cache->lines);
            cache->lines[set + cache->ways - 1] = NO_LINE;
            if (cache->masks) {
                memmove(&cache->masks[set + way], &cache->masks[set + way + 1],
                        (cache->ways - 1 - way) * sizeof *cache->masks);
                memmove(&cache->sites[set + way], &cache->sites[set + way + 1],
                        (cache->ways - 1 - way) * sizeof *cache->sites);
            }
            return found;
        }
    return NO_LINE;
}
