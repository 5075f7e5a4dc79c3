#include "explain/cache/recording.h"

#include <string.h>
#include <sys/mman.h>

static size_t round_up(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t bytes_of(size_t sites, size_t blocks)
{
    return round_up(sizeof(struct recording)) + round_up(sites * sizeof(struct cache_counts)) + round_up(sites) +
           CACHE_THREADS_MOST * blocks * sizeof(uint64_t);
}

struct cache_counts *recording_counts(struct recording *recording)
{
    return (struct cache_counts *)(void *)((char *)recording + round_up(sizeof *recording));
}

uint8_t *recording_places(struct recording *recording)
{
    return (uint8_t *)recording_counts(recording) + round_up(recording->sites * sizeof(struct cache_counts));
}

uint64_t *recording_executed(struct recording *recording, unsigned thread)
{
    uint8_t *start = recording_places(recording) + round_up(recording->sites);
    return (uint64_t *)(void *)start + thread * recording->blocks;
}

struct recording *cache_recording_create(const struct code_copy *copy)
{
    struct recording *recording = mmap(NULL, bytes_of(copy->access_count, copy->block_count), PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (recording == MAP_FAILED)
        return NULL;
    recording->sites = copy->access_count;
    recording->blocks = copy->block_count;
    memset(recording_places(recording), PLACE_OTHER + 1, copy->access_count);
    return recording;
}

void cache_recording_free(struct recording *recording)
{
    if (recording)
        munmap(recording, bytes_of(recording->sites, recording->blocks));
}
