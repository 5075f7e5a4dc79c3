/* The copy that is the CPU's limit. */
#include <string.h>

#include "backends/cpu/copy.h"
#include "base/pool.h"
#include "base/size.h"

/* Below this a second thread costs more than it copies. */
#define PARALLEL_FROM ((size_t)256 << 10)

/* A thread's part is a whole number of pages, so that no two threads write to one page. */
#define PART_UNIT ((size_t)4096)

/* Arrays that fit the caches are copied with ordinary stores: both arrays, with as much room again for other data. */
static copy_part *choose(size_t bytes)
{
    return bytes <= cpu_cache_bytes() / 4 ? copy_part_plain : copy_part_streaming(cpu_isa());
}

struct job {
    copy_part *copy;
    char *target;
    const char *source;
    size_t bytes, parts;
};

static void copy_one(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct job *job = context;
    const size_t pages = job->bytes / PART_UNIT + 1;
    const size_t from = pool_part(pages, job->parts, index) * PART_UNIT;
    const size_t to = size_least(pool_part(pages, job->parts, index + 1) * PART_UNIT, job->bytes);
    if (from < to)
        job->copy(job->target + from, job->source + from, to - from);
}

void cpu_stream_copy(void *target, const void *source, size_t bytes)
{
    if (bytes < PARALLEL_FROM) {
        memcpy(target, source, bytes);
        return;
    }
    struct job job = {choose(bytes), target, source, bytes, pool_threads()};
    parallel_for(job.parts, job.parts, copy_one, &job);
}
