#include <stdio.h>
#include <stdlib.h>

#include "backends/cpu/cpu.h"
#include "base/embedded.h"
#include "lab/limit.h"
#include "lab/noise.h"

/* What streams.cl has room for. */
#define READS_MAX 2
#define WRITES_MAX 4
#define WORD_BYTES 16
#define GROUP_ITEMS 256
#define GROUP_READS 128
/* Accesses under way in an item. Measured on an H200, in groups of 256: one array of 28 GiB read 4705 GB/s with 8, 4714
 * with 16; in groups of 128 4717 with 16 (no cache hints, hints to keep it out of the first cache, and rings filled by
 * the bulk copies of each multiprocessor: 4639 … 4716; fetching 256 bytes into the second cache: 4320); two of 4 GiB
 * read and one written 4383 with 1 of each, 4346 with 2, 4306 with 4, 4277 with 8. Groups that stay and walk on with a
 * stride are slower everywhere (4100 … 4560). */
#define UNROLL_READS 16
#define UNROLL_WRITES 1
/* Words that one item walks where the device is a processor: 16 KiB of each array. */
#define STRETCH_CPU 1024

struct streams {
    int reads, writes, passes;
    struct buffer sources[READS_MAX], targets[WRITES_MAX];
    struct buffer unused; /* stands in for the arrays that the probe's kernel does not touch */
    struct program *program;
    struct argument_value arguments[READS_MAX + WRITES_MAX + 1];
    struct launch launch;
    uint64_t seen; /* what the CPU's probe read */
};

static void streams_finish(struct run *run)
{
    struct streams *streams = run->state;
    if (!streams)
        return;
    program_discard(streams->program);
    for (int i = 0; i < READS_MAX; i++)
        buffer_release(&streams->sources[i]);
    for (int i = 0; i < WRITES_MAX; i++)
        buffer_release(&streams->targets[i]);
    buffer_release(&streams->unused);
    free(streams);
    run->state = NULL;
}

/* As many arrays as the kernel walks, of equal size, together as large as what one pass must move. */
static enum status allocate(struct run *run, struct streams *streams, struct error *error)
{
    struct cost cost = run->problem->kernel->cost(run->problem);
    streams->reads = cost.read_streams < READS_MAX ? cost.read_streams : READS_MAX;
    streams->writes = cost.write_streams < WRITES_MAX ? cost.write_streams : WRITES_MAX;
    if (streams->reads + streams->writes == 0)
        return fail(error, STATUS_UNAVAILABLE, "the problem has no streams");
    streams->passes = cost.passes > 1 ? cost.passes : 1;
    double each = (cost.bytes_read + cost.bytes_written) / (streams->reads + streams->writes) / streams->passes;
    size_t bytes = (size_t)each / WORD_BYTES * WORD_BYTES;
    bytes = bytes ? bytes : WORD_BYTES;
    enum status status = buffer_allocate(run->device, WORD_BYTES, &streams->unused, error);
    for (int i = 0; status == STATUS_OK && i < streams->reads; i++) {
        status = buffer_allocate(run->device, bytes, &streams->sources[i], error);
        if (status == STATUS_OK)
            status = noise_fill(&streams->sources[i], error);
    }
    for (int i = 0; status == STATUS_OK && i < streams->writes; i++) {
        status = buffer_allocate(run->device, bytes, &streams->targets[i], error);
        if (status == STATUS_OK)
            status = noise_fill(&streams->targets[i], error);
    }
    return status;
}

static enum status build(struct run *run, struct streams *streams, struct error *error)
{
    char reads[32], writes[32], walk[32];
    snprintf(reads, sizeof reads, "READS=%d", streams->reads);
    snprintf(writes, sizeof writes, "WRITES=%d", streams->writes);
    const bool alone = run->device->properties.is_cpu;
    const int words_each = alone ? STRETCH_CPU : streams->writes ? UNROLL_WRITES : UNROLL_READS / streams->reads;
    const uint32_t items = alone ? 1 : streams->writes ? GROUP_ITEMS : GROUP_READS;
    snprintf(walk, sizeof walk, "%s=%d", alone ? "STRETCH" : "UNROLL", words_each);
    const char *const defines[] = {reads, writes, walk};
    const struct embedded_file *file = embedded_find("lab/streams.cl");
    struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, 3};
    enum status status = program_build(run->device, &source, &streams->program, error);
    if (status != STATUS_OK)
        return status;
    const size_t bytes = streams->reads ? streams->sources[0].bytes : streams->targets[0].bytes;
    const size_t words = bytes / WORD_BYTES, per_group = (size_t)items * (size_t)words_each;
    struct argument_value *arguments = streams->arguments;
    for (int i = 0; i < READS_MAX; i++)
        arguments[i] = (struct argument_value){
            ARGUMENT_BUFFER, {.buffer = i < streams->reads ? &streams->sources[i] : &streams->unused}};
    for (int i = 0; i < WRITES_MAX; i++)
        arguments[READS_MAX + i] = (struct argument_value){
            ARGUMENT_BUFFER, {.buffer = i < streams->writes ? &streams->targets[i] : &streams->unused}};
    arguments[READS_MAX + WRITES_MAX] = (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)words}};
    streams->launch = (struct launch){
        .entry = "streams",
        .rank = 1,
        .group = {items, 1, 1},
        .groups = {(words + per_group - 1) / per_group, 1, 1},
        .arguments = arguments,
        .argument_count = READS_MAX + WRITES_MAX + 1,
    };
    return STATUS_OK;
}

static enum status streams_prepare(struct run *run, struct error *error)
{
    struct streams *streams = run->state = calloc(1, sizeof *streams);
    if (!streams)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    enum status status = allocate(run, streams, error);
    if (status == STATUS_OK && run->device->backend->kind != BACKEND_CPU)
        status = build(run, streams, error);
    if (status != STATUS_OK)
        streams_finish(run);
    return status;
}

static enum status streams_enqueue(struct run *run, struct error *error)
{
    struct streams *streams = run->state;
    enum status status = STATUS_OK;
    for (int pass = 0; streams->program && pass < streams->passes && status == STATUS_OK; pass++)
        status = program_launch(streams->program, &streams->launch, error);
    if (streams->program)
        return status;
    const void *sources[READS_MAX];
    void *targets[WRITES_MAX];
    for (int i = 0; i < streams->reads; i++)
        sources[i] = streams->sources[i].host;
    for (int i = 0; i < streams->writes; i++)
        targets[i] = streams->targets[i].host;
    size_t bytes = streams->reads ? streams->sources[0].bytes : streams->targets[0].bytes;
    for (int pass = 0; pass < streams->passes; pass++)
        streams->seen ^= cpu_streams(sources, streams->reads, targets, streams->writes, bytes);
    return STATUS_OK;
}

const struct rung limit_streams = {
    .name = "streams",
    .idea = "as many streams read and written, and nothing else: the limit",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU | BACKEND_OPENCL | BACKEND_CUDA,
    .prepare = streams_prepare,
    .finish = streams_finish,
    .enqueue = streams_enqueue,
};
