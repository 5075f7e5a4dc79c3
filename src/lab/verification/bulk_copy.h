/* The lab's own, untimed copies. Large ones go through a ring of pinned buffers (backends/staging.h), which keeps the
 * bus busy where the driver's single thread does not. No timed copy uses this. */
#pragma once

#include "backends/backend.h"
#include "backends/staging.h"

/* Zero-initialize before use. The first large copy allocates the ring; bulk_copy_end frees it. */
struct bulk_copy {
    struct staging *ring;
    bool is_refused; /* the device has no pinned memory; plain copies are used */
};

void bulk_copy_end(struct bulk_copy *bulk);

/* As buffer_write and buffer_read, from the start of the buffer. */
enum status bulk_write(struct bulk_copy *bulk, const struct buffer *buffer, const void *host, size_t bytes,
                       struct error *error);
enum status bulk_read(struct bulk_copy *bulk, const struct buffer *buffer, void *host, size_t bytes,
                      struct error *error);
/* Sets *differs when the buffer's bytes differ from those at `expected`. */
enum status bulk_compare(struct bulk_copy *bulk, const struct buffer *buffer, const void *expected, size_t bytes,
                         bool *differs, struct error *error);
