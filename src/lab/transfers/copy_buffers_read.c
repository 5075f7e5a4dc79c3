/* A copy path that only reads the device's own memory. */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/embedded.h"
#include "base/size.h"
#include "lab/transfers/copy_buffers.h"

#define WORD_BYTES 16
#define GROUP 256
#define UNROLL 4
#define ROUNDS 4
#define GROUP_WORDS ((size_t)GROUP * UNROLL * ROUNDS)
#define PIECES 64 /* number of partial results that the host checks together */

static size_t words_of(const struct copy_buffers *buffers)
{
    return buffers->bytes / CARRIER_READ_UNIT * (CARRIER_READ_UNIT / WORD_BYTES);
}

static size_t groups_of(const struct copy_buffers *buffers)
{
    return (words_of(buffers) + GROUP_WORDS - 1) / GROUP_WORDS;
}

enum status copy_buffers_read_prepare(struct copy_buffers *buffers, struct error *error)
{
    static const char *const defines[] = {"GROUP=256", "UNROLL=4", "ROUNDS=4"};
    if (buffers->device->backend->kind == BACKEND_CPU)
        return STATUS_OK;
    const struct embedded_file *file = embedded_find("lab/ceilings/read.cl");
    struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, COUNT_OF(defines)};
    enum status status = buffer_allocate(buffers->device, (groups_of(buffers) + 1) * WORD_BYTES, &buffers->seen, error);
    return status == STATUS_OK ? program_build(buffers->device, &source, &buffers->reader, error) : status;
}

static enum status enqueue(struct copy_buffers *buffers, struct error *error)
{
    const struct argument_value arguments[] = {
        {ARGUMENT_BUFFER, {.buffer = &buffers->there[1]}},
        {ARGUMENT_BUFFER, {.buffer = &buffers->seen}},
        {ARGUMENT_LONG, {.long_value = (int64_t)words_of(buffers)}},
    };
    const struct launch launch = {
        .entry = "read",
        .rank = 1,
        .group = {GROUP, 1, 1},
        .groups = {groups_of(buffers), 1, 1},
        .arguments = arguments,
        .argument_count = COUNT_OF(arguments),
    };
    if (buffers->reader)
        return program_launch(buffers->reader, &launch, error);
    const void *sources[] = {buffers->there[1].host};
    buffers->host_seen[0] = cpu_streams(sources, 1, NULL, 0, words_of(buffers) * WORD_BYTES);
    return STATUS_OK;
}

enum status copy_buffers_read(struct copy_buffers *buffers, const struct copy_path *way, unsigned batch,
                              double *nanoseconds, struct error *error)
{
    (void)way;
    struct event *from = buffers->marks[0][0], *to = buffers->marks[0][1];
    enum status status = event_record(from, error);
    for (unsigned i = 0; status == STATUS_OK && i < batch; i++)
        status = enqueue(buffers, error);
    if (status == STATUS_OK)
        status = event_record(to, error);
    if (status == STATUS_OK)
        status = event_elapsed(from, to, nanoseconds, error);
    *nanoseconds /= batch;
    return status;
}

enum status copy_buffers_read_spoil(struct copy_buffers *buffers, const struct copy_path *way, struct error *error)
{
    (void)way;
    memset(buffers->host_seen, 0, sizeof buffers->host_seen);
    return buffers->reader ? buffer_fill(&buffers->seen, 0, 0xFF, buffers->seen.bytes, error) : STATUS_OK;
}

/* The cpu device combines both halves of the words into one. */
enum status copy_buffers_read_verify(struct copy_buffers *buffers, const struct copy_path *way, struct error *error)
{
    (void)way;
    uint64_t seen[2 * PIECES], all[2] = {buffers->host_seen[0], 0};
    enum status status = STATUS_OK;
    for (size_t at = 0; buffers->reader && status == STATUS_OK && at < groups_of(buffers); at += PIECES) {
        size_t count = groups_of(buffers) - at < PIECES ? groups_of(buffers) - at : PIECES;
        status = buffer_read(&buffers->seen, at * WORD_BYTES, seen, count * WORD_BYTES, error);
        for (size_t i = 0; status == STATUS_OK && i < 2 * count; i++)
            all[i % 2] ^= seen[i];
    }
    if (status != STATUS_OK)
        return status;
    bool right = buffers->reader ? memcmp(all, buffers->noise, sizeof all) == 0
                                 : all[0] == (buffers->noise[0] ^ buffers->noise[1]);
    return right ? STATUS_OK : fail(error, STATUS_FAILED, "what was read is not what is there");
}
