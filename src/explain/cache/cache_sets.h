/* The sets of one cache or translation buffer, each in the order of use. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIRTY ((uint64_t)1 << 63) /* of a line: changed */
#define NO_LINE (~DIRTY)

/* One cache, or translation buffer. The most recently used entry of a set is its first. */
struct cache_sets {
    size_t sets;
    unsigned ways;
    bool is_power;   /* of two: the number of sets */
    bool is_hashed;  /* upper bits of an address choose the set, too; its eighth does not change */
    unsigned bits;   /* log2 of a power of two */
    uint64_t *lines; /* [sets][ways], with DIRTY */
    uint64_t *masks; /* bytes used of each (first caches only) */
    uint32_t *sites; /* that brought it in (…) */
};

/* `ways` of 0: fully associative. `follows_bytes`: with masks and sites. False when memory is out; cache_sets_free is
 * right even then. */
bool cache_sets_make(struct cache_sets *cache, size_t entries, unsigned ways, bool follows_bytes);
void cache_sets_free(struct cache_sets *cache);

/* Where the line's set begins in the arrays. */
size_t cache_sets_of(const struct cache_sets *cache, uint64_t line);

/* Whether it is there; then it is the set's first. */
bool cache_sets_find(struct cache_sets *cache, uint64_t line);

/* Puts a line that is not there to the front of its set, where *set is; the entry that is given up for it is returned,
 * or NO_LINE. */
uint64_t cache_sets_insert(struct cache_sets *cache, uint64_t line, size_t *set);

/* Takes a line out; returns it with its dirty bit, or NO_LINE. */
uint64_t cache_sets_remove(struct cache_sets *cache, uint64_t line);
