/* The device reads its own memory, and nothing else. */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/embedded.h"
#include "base/size.h"
#include "lab/carrier.h"

#define WORD_BYTES 16
#define GROUP 256
#define UNROLL 4
#define ROUNDS 4
#define GROUP_WORDS ((size_t)GROUP * UNROLL * ROUNDS)
#define PIECES 64 /* of what the groups saw, that the host looks at in one go */

static size_t words_of(const struct carrier *carrier)
{
    return carrier->bytes / CARRIER_READ_UNIT * (CARRIER_READ_UNIT / WORD_BYTES);
}

static size_t groups_of(const struct carrier *carrier)
{
    return (words_of(carrier) + GROUP_WORDS - 1) / GROUP_WORDS;
}

enum status carrier_read_prepare(struct carrier *carrier, struct error *error)
{
    static const char *const defines[] = {"GROUP=256", "UNROLL=4", "ROUNDS=4"};
    if (carrier->device->backend->kind == BACKEND_CPU)
        return STATUS_OK;
    const struct embedded_file *file = embedded_find("lab/read.cl");
    struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, COUNT_OF(defines)};
    enum status status = buffer_allocate(carrier->device, (groups_of(carrier) + 1) * WORD_BYTES, &carrier->seen, error);
    return status == STATUS_OK ? program_build(carrier->device, &source, &carrier->reader, error) : status;
}

static enum status enqueue(struct carrier *carrier, struct error *error)
{
    const struct argument_value arguments[] = {
        {ARGUMENT_BUFFER, {.buffer = &carrier->there[1]}},
        {ARGUMENT_BUFFER, {.buffer = &carrier->seen}},
        {ARGUMENT_LONG, {.long_value = (int64_t)words_of(carrier)}},
    };
    const struct launch launch = {
        .entry = "read",
        .rank = 1,
        .group = {GROUP, 1, 1},
        .groups = {groups_of(carrier), 1, 1},
        .arguments = arguments,
        .argument_count = COUNT_OF(arguments),
    };
    if (carrier->reader)
        return program_launch(carrier->reader, &launch, error);
    const void *sources[] = {carrier->there[1].host};
    carrier->host_seen[0] = cpu_streams(sources, 1, NULL, 0, words_of(carrier) * WORD_BYTES);
    return STATUS_OK;
}

enum status carrier_read(struct carrier *carrier, const struct way *way, unsigned batch, double *nanoseconds,
                         struct error *error)
{
    (void)way;
    struct mark *from = carrier->marks[0][0], *to = carrier->marks[0][1];
    enum status status = mark_record(from, error);
    for (unsigned i = 0; status == STATUS_OK && i < batch; i++)
        status = enqueue(carrier, error);
    if (status == STATUS_OK)
        status = mark_record(to, error);
    if (status == STATUS_OK)
        status = mark_elapsed(from, to, nanoseconds, error);
    *nanoseconds /= batch;
    return status;
}

enum status carrier_read_spoil(struct carrier *carrier, const struct way *way, struct error *error)
{
    (void)way;
    memset(carrier->host_seen, 0, sizeof carrier->host_seen);
    return carrier->reader ? buffer_fill(&carrier->seen, 0, 0xFF, carrier->seen.bytes, error) : STATUS_OK;
}

/* On the cpu the two halves of the words are one. */
enum status carrier_read_verify(struct carrier *carrier, const struct way *way, struct error *error)
{
    (void)way;
    uint64_t seen[2 * PIECES], all[2] = {carrier->host_seen[0], 0};
    enum status status = STATUS_OK;
    for (size_t at = 0; carrier->reader && status == STATUS_OK && at < groups_of(carrier); at += PIECES) {
        size_t count = groups_of(carrier) - at < PIECES ? groups_of(carrier) - at : PIECES;
        status = buffer_read(&carrier->seen, at * WORD_BYTES, seen, count * WORD_BYTES, error);
        for (size_t i = 0; status == STATUS_OK && i < 2 * count; i++)
            all[i % 2] ^= seen[i];
    }
    if (status != STATUS_OK)
        return status;
    bool right = carrier->reader ? memcmp(all, carrier->noise, sizeof all) == 0
                                 : all[0] == (carrier->noise[0] ^ carrier->noise[1]);
    return right ? STATUS_OK : fail(error, STATUS_FAILED, "what was read is not what is there");
}
