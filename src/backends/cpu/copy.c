/* The copy that is the CPU's limit. */
#include <omp.h>
#include <string.h>

#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"

/* Below this a second thread costs more than it copies. */
#define PARALLEL_FROM ((size_t)256 << 10)

/* A thread's part is a whole number of pages, so that no two threads write to one page. */
#define PART_UNIT ((size_t)4096)

/* Arrays that fit the caches are copied with ordinary stores: both arrays, with as much room again for other data. */
static copy_part *choose(size_t bytes)
{
    return bytes <= cpu_cache_bytes() / 4 ? copy_part_plain : copy_part_streaming(cpu_isa());
}

void cpu_stream_copy(void *target, const void *source, size_t bytes)
{
    if (bytes < PARALLEL_FROM) {
        memcpy(target, source, bytes);
        return;
    }
    copy_part *copy = choose(bytes);
#pragma omp parallel
    {
        size_t threads = (size_t)omp_get_num_threads(), thread = (size_t)omp_get_thread_num();
        size_t pages = bytes / PART_UNIT + 1;
        size_t share = (pages + threads - 1) / threads * PART_UNIT;
        size_t from = thread * share;
        if (from < bytes)
            copy((char *)target + from, (const char *)source + from, bytes - from < share ? bytes - from : share);
    }
}
