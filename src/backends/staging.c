#include "backends/staging.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"

/* Pieces so large that starting a copy costs little, and together small enough for a large last-level cache. */
#define PIECES 4
#define PIECE_BYTES ((size_t)4 << 20)

struct staging {
    struct device *device;
    struct host_memory pinned;
    struct event *done[PIECES]; /* recorded behind a piece's copy */
};

enum status staging_create(struct device *device, struct staging **staging, struct error *error)
{
    struct staging *made = calloc(1, sizeof *made);
    *staging = NULL;
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a ring of pinned pieces", device->id);
    made->device = device;
    enum status status = host_memory_pin(device, MEMORY_PINNED, PIECES * PIECE_BYTES, &made->pinned, error);
    for (int i = 0; status == STATUS_OK && i < PIECES; i++)
        status = event_create(device, &made->done[i], error);
    if (status == STATUS_OK)
        *staging = made;
    else
        staging_destroy(made);
    return status;
}

void staging_destroy(struct staging *staging)
{
    if (!staging)
        return;
    for (int i = 0; i < PIECES; i++)
        event_destroy(staging->done[i]);
    host_memory_unpin(&staging->pinned);
    free(staging);
}

static char *piece(const struct staging *staging, size_t index)
{
    return (char *)staging->pinned.data + index % PIECES * PIECE_BYTES;
}

static size_t piece_bytes(size_t at, size_t bytes)
{
    return bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES;
}

/* Until the device is done with the piece. */
static enum status await(const struct staging *staging, size_t index, struct error *error)
{
    double none;
    struct event *mark = staging->done[index % PIECES];
    return event_elapsed(mark, mark, &none, error);
}

enum status staging_write(struct staging *staging, const struct buffer *buffer, size_t offset, const void *host,
                          size_t bytes, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t at = 0, index = 0; status == STATUS_OK && at < bytes; at += PIECE_BYTES, index++) {
        struct transfer transfer = {
            .offset = offset + at, .host = piece(staging, index), .width = piece_bytes(at, bytes), .rows = 1};
        if (index >= PIECES)
            status = await(staging, index, error);
        if (status != STATUS_OK)
            break;
        cpu_stream_copy(transfer.host, (const char *)host + at, transfer.width);
        status = buffer_send(buffer, &transfer, error);
        if (status == STATUS_OK)
            status = event_record(staging->done[index % PIECES], error);
    }
    enum status finished = device_synchronize(staging->device, status == STATUS_OK ? error : NULL);
    return status == STATUS_OK ? finished : status;
}

static enum status fetch(struct staging *staging, const struct buffer *buffer, size_t offset, size_t index,
                         size_t bytes, struct error *error)
{
    struct transfer transfer = {.offset = offset + index * PIECE_BYTES,
                                .host = piece(staging, index),
                                .width = piece_bytes(index * PIECE_BYTES, bytes),
                                .rows = 1};
    enum status status = buffer_receive(buffer, &transfer, error);
    return status == STATUS_OK ? event_record(staging->done[index % PIECES], error) : status;
}

/* The host's work on a piece that has arrived; `at` is its offset in the whole. */
typedef void visit_piece(void *context, size_t at, const char *piece, size_t bytes);

static enum status read_pieces(struct staging *staging, const struct buffer *buffer, size_t offset, size_t bytes,
                               visit_piece *visit, void *context, struct error *error)
{
    size_t count = bytes / PIECE_BYTES + (bytes % PIECE_BYTES != 0);
    enum status status = STATUS_OK;
    for (size_t index = 0; status == STATUS_OK && index < count && index < PIECES; index++)
        status = fetch(staging, buffer, offset, index, bytes, error);
    for (size_t index = 0; status == STATUS_OK && index < count; index++) {
        status = await(staging, index, error);
        if (status != STATUS_OK)
            break;
        visit(context, index * PIECE_BYTES, piece(staging, index), piece_bytes(index * PIECE_BYTES, bytes));
        if (index + PIECES < count)
            status = fetch(staging, buffer, offset, index + PIECES, bytes, error);
    }
    if (status != STATUS_OK)
        device_synchronize(staging->device, NULL); /* no copy uses the ring when it is freed */
    return status;
}

static void copy_piece(void *host, size_t at, const char *piece, size_t bytes)
{
    cpu_stream_copy((char *)host + at, piece, bytes);
}

enum status staging_read(struct staging *staging, const struct buffer *buffer, size_t offset, void *host, size_t bytes,
                         struct error *error)
{
    return read_pieces(staging, buffer, offset, bytes, copy_piece, host, error);
}

struct pieces_comparison {
    const char *expected;
    bool differs;
};

static void compare_piece(void *context, size_t at, const char *piece, size_t bytes)
{
    struct pieces_comparison *comparison = context;
    const size_t part = (size_t)64 << 10;
    bool differs = comparison->differs;
#pragma omp parallel for schedule(static) reduction(|| : differs)
    for (size_t from = 0; from < bytes; from += part)
        differs = differs || memcmp(piece + from, comparison->expected + at + from,
                                    bytes - from < part ? bytes - from : part) != 0;
    comparison->differs = differs;
}

enum status staging_compare(struct staging *staging, const struct buffer *buffer, size_t offset, const void *expected,
                            size_t bytes, bool *differs, struct error *error)
{
    struct pieces_comparison comparison = {.expected = expected};
    enum status status = read_pieces(staging, buffer, offset, bytes, compare_piece, &comparison, error);
    *differs = comparison.differs;
    return status;
}
