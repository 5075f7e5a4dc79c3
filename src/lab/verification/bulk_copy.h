/* Copies of the lab's own, outside the timing: large ones go through a ring of pinned pieces (backends/staging.h),
 * which keeps the bus busy where the driver's one thread does not. No timed copy uses this. */
#ifndef USKOR_LAB_VERIFICATION_BULK_COPY_H
#define USKOR_LAB_VERIFICATION_BULK_COPY_H

#include "backends/backend.h"
#include "backends/staging.h"

/* Zeroed it is ready; the ring is made by the first large copy and kept. */
struct bulk_copy {
    struct staging *ring;
    bool is_refused; /* the device has no pinned memory: plain copies */
};

void bulk_copy_end(struct bulk_copy *bulk);

/* As buffer_write and buffer_read from the buffer's beginning. */
enum status bulk_write(struct bulk_copy *bulk, const struct buffer *buffer, const void *host, size_t bytes,
                       struct error *error);
enum status bulk_read(struct bulk_copy *bulk, const struct buffer *buffer, void *host, size_t bytes,
                      struct error *error);
/* Whether the buffer's bytes are other ones than those at `expected`. */
enum status bulk_compare(struct bulk_copy *bulk, const struct buffer *buffer, const void *expected, size_t bytes,
                         bool *differs, struct error *error);

#endif
