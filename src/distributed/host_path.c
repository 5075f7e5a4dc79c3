#include "distributed/host_path.h"

#include <stdlib.h>

#include "base/size.h"

#define PIECES 4
#define PIECE_BYTES ((size_t)4 << 20)

struct host_path {
    struct device *source, *target;
    struct host_memory pinned;
    char *memory; /* the pieces, one after another */
    char *plain;  /* pageable memory, for devices without pinned memory */
    struct event *filled[PIECES], *drained[PIECES];
    size_t used; /* number of pieces so far */
};

enum status host_path_create(struct device *source, struct device *target, struct host_path **path, struct error *error)
{
    *path = calloc(1, sizeof **path);
    struct host_path *made = *path;
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "no memory for a path through the host");
    made->source = source;
    made->target = target;
    if (host_memory_pin(source, MEMORY_PINNED, PIECES * PIECE_BYTES, &made->pinned, NULL) == STATUS_OK)
        made->memory = made->pinned.data;
    else
        made->memory = made->plain = aligned_alloc(BUFFER_ALIGNMENT, PIECES * PIECE_BYTES);
    enum status status =
        made->memory ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no host memory for a path through the host");
    for (int i = 0; i < PIECES; i++) {
        if (status == STATUS_OK)
            status = event_create_untimed(source, &made->filled[i], error);
        if (status == STATUS_OK)
            status = event_create_untimed(target, &made->drained[i], error);
    }
    if (status != STATUS_OK) {
        host_path_destroy(made);
        *path = NULL;
    }
    return status;
}

void host_path_destroy(struct host_path *path)
{
    if (!path)
        return;
    for (int i = 0; i < PIECES; i++) {
        event_destroy(path->filled[i]);
        event_destroy(path->drained[i]);
    }
    host_memory_unpin(&path->pinned);
    free(path->plain);
    free(path);
}

/* Moves one piece: some rows, or part of one row. */
static enum status move_piece(struct host_path *path, const struct peer_copy *piece, struct error *error)
{
    size_t slot = path->used % PIECES;
    char *memory = path->memory + slot * PIECE_BYTES;
    const struct transfer out = {.offset = piece->source_offset,
                                 .pitch = piece->source_pitch,
                                 .host = memory,
                                 .host_pitch = piece->width,
                                 .width = piece->width,
                                 .rows = piece->rows};
    const struct transfer in = {.offset = piece->target_offset,
                                .pitch = piece->target_pitch,
                                .host = memory,
                                .host_pitch = piece->width,
                                .width = piece->width,
                                .rows = piece->rows};
    enum status status = path->used >= PIECES ? peer_wait(path->source, path->drained[slot], error) : STATUS_OK;
    if (status == STATUS_OK)
        status = buffer_receive(piece->source, &out, error);
    if (status == STATUS_OK)
        status = event_record(path->filled[slot], error);
    if (status == STATUS_OK)
        status = peer_wait(path->target, path->filled[slot], error);
    if (status == STATUS_OK)
        status = buffer_send(piece->target, &in, error);
    if (status == STATUS_OK)
        status = event_record(path->drained[slot], error);
    path->used++;
    return status;
}

static enum status move_row(struct host_path *path, const struct peer_copy *row, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t at = 0; status == STATUS_OK && at < row->width; at += PIECE_BYTES) {
        struct peer_copy piece = *row;
        piece.rows = 1;
        piece.source_offset += at;
        piece.target_offset += at;
        piece.width = size_least(PIECE_BYTES, row->width - at);
        status = move_piece(path, &piece, error);
    }
    return status;
}

enum status host_path_copy(struct host_path *path, const struct peer_copy *copy, struct error *error)
{
    enum status status = STATUS_OK;
    bool joined = copy->rows > 1 && copy->source_pitch == copy->width && copy->target_pitch == copy->width;
    struct peer_copy whole = *copy;
    if (joined && size_multiply(copy->width, copy->rows, &whole.width))
        whole.rows = 1;
    if (whole.width == 0 || whole.rows == 0)
        return STATUS_OK;
    size_t rows = whole.width > PIECE_BYTES ? 1 : PIECE_BYTES / whole.width;
    for (size_t row = 0; status == STATUS_OK && row < whole.rows; row += rows) {
        struct peer_copy piece = whole;
        piece.rows = size_least(rows, whole.rows - row);
        piece.source_offset += row * whole.source_pitch;
        piece.target_offset += row * whole.target_pitch;
        status = piece.rows == 1 ? move_row(path, &piece, error) : move_piece(path, &piece, error);
    }
    return status;
}
