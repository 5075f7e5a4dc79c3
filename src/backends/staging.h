/* Copies between pageable host memory and a device through a ring of pinned pieces: threads of the host copy one piece
 * while the device fetches those before it. The driver does the same with one thread; where several copy faster than
 * the bus carries, this is faster. */
#pragma once

#include "backends/backend.h"

struct staging;

/* Pins the ring. STATUS_UNAVAILABLE where the device fetches nothing from host memory by itself. */
enum status staging_create(struct device *device, struct staging **staging, struct error *error);
void staging_destroy(struct staging *staging); /* NULL is fine */

/* As buffer_write and buffer_read, in the selected queue: finished when they return. */
enum status staging_write(struct staging *staging, const struct buffer *buffer, size_t offset, const void *host,
                          size_t bytes, struct error *error);
enum status staging_read(struct staging *staging, const struct buffer *buffer, size_t offset, void *host, size_t bytes,
                         struct error *error);

/* Whether the buffer's bytes are other ones than those at `expected`; threads of the host compare one piece while the
 * next ones come. */
enum status staging_compare(struct staging *staging, const struct buffer *buffer, size_t offset, const void *expected,
                            size_t bytes, bool *differs, struct error *error);
