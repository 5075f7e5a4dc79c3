#include "backends/cpu/cache_size.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/compile_cache.h"
#include "base/statistics.h"

#define LOOKS_MOST 16
#define MOST ((size_t)128 << 20)
#define LEAST ((size_t)2 << 20)
#define HUGE_PAGE ((size_t)2 << 20)
#define LINE 64
#define LOADS 20000
#define TRIES 3
#define KEPT 3       /* measurements, as neighbours may disturb one */
#define CONTRAST 1.5 /* times as long a load from main memory takes, at least */

size_t cache_size_of(const struct cache_look *looks, size_t count, size_t advertised)
{
    if (count < 2 || looks[count - 1].nanoseconds < CONTRAST * looks[0].nanoseconds)
        return advertised;
    const double between = sqrt(looks[0].nanoseconds * looks[count - 1].nanoseconds);
    size_t seen = looks[0].bytes;
    for (size_t i = 0; i < count; i++)
        seen = looks[i].nanoseconds <= between ? looks[i].bytes : seen;
    return seen >= advertised / 2 ? advertised : seen;
}

/* A generator with the full period walks all lines of a power of two; its steps are too far for any prefetcher. The
 * memory holds zeros, which join the place, so that each load waits for the one before. */
static double time_of_load(const unsigned char *memory, size_t bytes)
{
    const size_t mask = bytes / LINE - 1;
    size_t at = 1;
    int64_t begun = clock_now();
    for (int i = 0; i < LOADS; i++) {
        const size_t place = (at ^ at >> 7) & mask;
        at = at * 2862933555777941757u + 3037000493u + *(const volatile unsigned char *)(memory + place * LINE);
    }
    return (double)(clock_now() - begun) / LOADS;
}

/* Brings all of it into the cache, as far as it has room. */
static void read_all(const unsigned char *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE)
        (void)*(const volatile unsigned char *)(memory + i);
}

static double best_time(const unsigned char *memory, size_t bytes)
{
    double best = INFINITY;
    read_all(memory, bytes);
    for (int i = 0; i < TRIES; i++)
        best = fmin(best, time_of_load(memory, bytes));
    return best;
}

size_t cache_size_measure(size_t second_cache, size_t advertised)
{
    struct cache_look looks[LOOKS_MOST];
    size_t count = 0, bytes = LEAST;
    unsigned char *memory = aligned_alloc(HUGE_PAGE, MOST);
    if (!memory)
        return advertised;
    madvise(memory, MOST, MADV_HUGEPAGE);
    memset(memory, 0, MOST);
    while (bytes < 2 * second_cache)
        bytes *= 2;
    for (; bytes <= MOST && count < LOOKS_MOST; bytes *= 2)
        looks[count++] = (struct cache_look){bytes, best_time(memory, bytes)};
    free(memory);
    return cache_size_of(looks, count, advertised);
}

/* How many measurements are kept, and they. */
static size_t load_kept(const struct cache_key *key, size_t most, double sizes[KEPT])
{
    void *data;
    size_t bytes;
    if (!cache_load(key, &data, &bytes))
        return 0;
    size_t count = bytes / sizeof *sizes <= KEPT ? bytes / sizeof *sizes : 0;
    memcpy(sizes, data, count * sizeof *sizes);
    free(data);
    for (size_t i = 0; i < count; i++)
        if (!(sizes[i] >= 1 && sizes[i] <= (double)most))
            return 0;
    return count;
}

size_t cache_size_kept(measure_cache *measure, size_t second_cache, size_t advertised, int processors,
                       const char *since)
{
    double sizes[KEPT];
    const size_t facts[] = {second_cache, advertised, (size_t)processors};
    struct cache_key key = {.bytes = 0};
    cache_key_add_text(&key, "last-level cache");
    cache_key_add_text(&key, since);
    cache_key_add(&key, facts, sizeof facts);
    size_t count = load_kept(&key, advertised, sizes);
    if (count < KEPT) {
        sizes[count++] = (double)measure(second_cache, advertised);
        cache_store(&key, sizes, count * sizeof *sizes);
    }
    return (size_t)statistics_median(sizes, count);
}
