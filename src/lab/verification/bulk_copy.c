#include "lab/verification/bulk_copy.h"

#include <stdlib.h>
#include <string.h>

#define LARGE ((size_t)32 << 20) /* twice the staging ring */
#define PIECE ((size_t)16 << 20) /* piece of a comparison without a ring */

/* NULL: plain copies are used. */
static struct staging *ring_for(struct bulk_copy *bulk, const struct buffer *buffer, size_t bytes)
{
    if (bytes < LARGE || bulk->is_refused || buffer->host || buffer->device->properties.is_cpu)
        return NULL;
    if (!bulk->ring && staging_create(buffer->device, &bulk->ring, NULL) != STATUS_OK) {
        bulk->ring = NULL;
        bulk->is_refused = true;
    }
    return bulk->ring;
}

void bulk_copy_end(struct bulk_copy *bulk)
{
    staging_destroy(bulk->ring);
    *bulk = (struct bulk_copy){0};
}

enum status bulk_write(struct bulk_copy *bulk, const struct buffer *buffer, const void *host, size_t bytes,
                       struct error *error)
{
    struct staging *ring = ring_for(bulk, buffer, bytes);
    return ring ? staging_write(ring, buffer, 0, host, bytes, error) : buffer_write(buffer, 0, host, bytes, error);
}

enum status bulk_read(struct bulk_copy *bulk, const struct buffer *buffer, void *host, size_t bytes,
                      struct error *error)
{
    struct staging *ring = ring_for(bulk, buffer, bytes);
    return ring ? staging_read(ring, buffer, 0, host, bytes, error) : buffer_read(buffer, 0, host, bytes, error);
}

static enum status compare_plainly(const struct buffer *buffer, const unsigned char *expected, size_t bytes,
                                   bool *differs, struct error *error)
{
    enum status status = STATUS_OK;
    unsigned char *piece = malloc(bytes < PIECE ? bytes + 1 : PIECE);
    if (!piece)
        return fail(error, STATUS_UNAVAILABLE, "no host memory to check the inputs");
    for (size_t at = 0; status == STATUS_OK && !*differs && at < bytes; at += PIECE) {
        size_t part = bytes - at < PIECE ? bytes - at : PIECE;
        status = buffer_read(buffer, at, piece, part, error);
        *differs = status == STATUS_OK && memcmp(piece, expected + at, part) != 0;
    }
    free(piece);
    return status;
}

enum status bulk_compare(struct bulk_copy *bulk, const struct buffer *buffer, const void *expected, size_t bytes,
                         bool *differs, struct error *error)
{
    struct staging *ring = ring_for(bulk, buffer, bytes);
    *differs = false;
    return ring ? staging_compare(ring, buffer, 0, expected, bytes, differs, error)
                : compare_plainly(buffer, expected, bytes, differs, error);
}
