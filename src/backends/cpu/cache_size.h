/* Our share of the last-level cache: a virtual machine may report the whole server's. */
#pragma once

#include <stddef.h>

/* One load at a random address within this many bytes, dependent on the load before. */
struct cache_look {
    size_t bytes;
    double nanoseconds;
};

/* The last cache's effective size: the largest of the looks' sizes, which rise, that answers faster than the geometric
 * mean of the first look (which the cache holds) and the last (which it does not). Returns `advertised` where the
 * measured size is half of it or more, or where the looks do not separate a cache from main memory. */
size_t cache_size_of(const struct cache_look *looks, size_t count, size_t advertised);

/* Is an advertised size doubtful: more for each of our processors than any has? */
#define CACHE_PER_PROCESSOR ((size_t)32 << 20)
static inline int cache_size_is_doubtful(size_t advertised, int processors)
{
    return advertised / (size_t)(processors > 0 ? processors : 1) > CACHE_PER_PROCESSOR;
}

/* Looks at sizes from a little more than the second cache up to 128 MiB, some 100 ms in all, and returns
 * cache_size_of(…); `advertised` where memory is short. */
size_t cache_size_measure(size_t second_cache, size_t advertised);

/* The median of what `measure`, such as cache_size_measure, returned to the first three processes that named `since`,
 * such as the machine's start: they are kept in the cache folder (base/compile_cache.h). Each number of processors has
 * its own. */
typedef size_t measure_cache(size_t second_cache, size_t advertised);
size_t cache_size_kept(measure_cache *measure, size_t second_cache, size_t advertised, int processors,
                       const char *since);
