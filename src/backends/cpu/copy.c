/* The copy that is the CPU's limit. */
#include <omp.h>
#include <string.h>

#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"

/* A thread's part is a whole number of pages, so that no two threads share one. */
#define PART_UNIT ((size_t)4096)

static copy_part *choose(size_t bytes)
{
    /* What fits the caches is better kept there: 2 arrays, and half of the cache for all else. */
    if (bytes < cpu_cache_bytes() / 4)
        return copy_part_plain;
    return copy_part_streaming(cpu_isa());
}

void cpu_stream_copy(void *target, const void *source, size_t bytes)
{
    copy_part *copy = choose(bytes);
    size_t units = bytes / PART_UNIT + 1;
#pragma omp parallel if (units > 16)
    {
        size_t threads = (size_t)omp_get_num_threads(), thread = (size_t)omp_get_thread_num();
        size_t share = (units + threads - 1) / threads * PART_UNIT;
        size_t from = thread * share;
        if (from < bytes)
            copy((char *)target + from, (const char *)source + from, bytes - from < share ? bytes - from : share);
    }
}
