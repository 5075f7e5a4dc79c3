/* Shared by the two backends without a runtime: buffers in host memory and marks of the monotonic clock. */
#pragma once

#include "backends/backend.h"

/* Aligned to BUFFER_ALIGNMENT; to 2 MiB, and asking for huge pages, from 4 MiB on. */
enum status host_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error);
enum status host_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                      struct error *error);
void host_release(struct buffer *buffer);
enum status host_write(const struct buffer *buffer, size_t offset, const void *host, size_t bytes, struct error *error);
enum status host_read(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error);
enum status host_fill(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                      struct error *error);

enum status host_event_create(struct device *device, struct event **mark, struct error *error);
void host_event_destroy(struct event *mark);
enum status host_event_record(struct event *mark, struct error *error);
enum status host_event_elapsed(struct event *from, struct event *to, double *nanoseconds, struct error *error);

/* Nothing is ever pending. */
enum status host_synchronize(struct device *device, struct error *error);
