/* Any number of streams in and out: the limit of kernels that are not a copy. */
#include "backends/cpu/streams.h"

#include <stdatomic.h>

#include "base/pool.h"
#include "base/size.h"

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

struct job {
    streams_part *part;
    const void *const *sources;
    void *const *targets;
    int read_count, write_count;
    size_t end, parts;
    _Atomic uint64_t all;
};

static void stream_one(void *context, size_t index, size_t thread)
{
    (void)thread;
    struct job *job = context;
    const size_t pages = (job->end + PART_UNIT - 1) / PART_UNIT;
    const size_t from = pool_part(pages, job->parts, index) * PART_UNIT;
    const size_t to = size_least(pool_part(pages, job->parts, index + 1) * PART_UNIT, job->end);
    if (from < to)
        atomic_fetch_xor(&job->all, job->part((const char *const *)job->sources, job->read_count,
                                              (char *const *)job->targets, job->write_count, from, to));
}

uint64_t cpu_streams(const void *const *sources, int read_count, void *const *targets, int write_count, size_t bytes)
{
    const size_t total = bytes * (size_t)(read_count + write_count), lines_end = bytes / LINE * LINE;
    const enum cpu_isa isa = cpu_isa();
    struct job job = {.part = total <= cpu_cache_bytes() / 2 ? streams_part_plain(isa) : streams_part_streaming(isa),
                      .sources = sources,
                      .targets = targets,
                      .read_count = read_count,
                      .write_count = write_count,
                      .end = lines_end,
                      .parts = total >= PARALLEL_FROM ? pool_threads() : 1};
    parallel_for(job.parts, job.parts, stream_one, &job);
    return job.all ^ finish_bytes(sources, read_count, targets, write_count, lines_end, bytes);
}
