/* Any number of streams in and out: the limit of kernels that are not a copy. */
#include "backends/cpu/streams.h"

#include <omp.h>

/* As for the copy (copy.c). */
#define PARALLEL_FROM ((size_t)128 << 10)
#define PART_UNIT ((size_t)4096)
#define LINE ((size_t)64)

/* The bytes behind the last whole line. */
static uint64_t finish_bytes(const void *const *sources, int read_count, void *const *targets, int write_count,
                             size_t from, size_t to)
{
    uint64_t all = 0;
    for (size_t i = from; i < to; i++) {
        unsigned char word = 0;
        for (int r = 0; r < read_count; r++)
            word ^= ((const unsigned char *)sources[r])[i];
        for (int w = 0; w < write_count; w++)
            ((unsigned char *)targets[w])[i] = word;
        all ^= word;
    }
    return all;
}

uint64_t cpu_streams(const void *const *sources, int read_count, void *const *targets, int write_count, size_t bytes)
{
    size_t total = bytes * (size_t)(read_count + write_count), lines_end = bytes / LINE * LINE;
    enum cpu_isa isa = cpu_isa();
    streams_part *part = total <= cpu_cache_bytes() / 2 ? streams_part_plain(isa) : streams_part_streaming(isa);
    uint64_t all = 0;
#pragma omp parallel if (total >= PARALLEL_FROM) reduction(^ : all)
    {
        size_t threads = (size_t)omp_get_num_threads(), thread = (size_t)omp_get_thread_num();
        size_t share = (lines_end / PART_UNIT + threads) / threads * PART_UNIT;
        size_t from = thread * share, to = from + share < lines_end ? from + share : lines_end;
        if (from < to)
            all ^= part((const char *const *)sources, read_count, (char *const *)targets, write_count, from, to);
    }
    return all ^ finish_bytes(sources, read_count, targets, write_count, lines_end, bytes);
}
