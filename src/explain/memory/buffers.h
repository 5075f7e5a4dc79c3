/* The trace device's memory: each buffer has a stretch of address space of its own, so that a traced access identifies
 * its buffer, and an access outside every buffer shows. */
#ifndef USKOR_EXPLAIN_MEMORY_BUFFERS_H
#define USKOR_EXPLAIN_MEMORY_BUFFERS_H

#include "backends/backend.h"
#include "explain/memory/lane.h"

struct trace_arena {
    unsigned char *base; /* NULL: not reserved yet */
    unsigned long slot_bytes[ARENA_SLOTS];
    int files[ARENA_SLOTS]; /* that back the slots, so that children write to the same memory; -1 below 1 byte */
    bool is_used[ARENA_SLOTS];
};

/* The backend's functions; the device's arena is found with trace_arena_of (explain/memory/trace_device.h). */
enum status trace_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error);
enum status trace_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                       struct error *error);
void trace_release(struct buffer *buffer);

/* Where the buffer begins, in bytes from the arena's beginning. */
uint64_t trace_buffer_offset(const struct buffer *buffer);

/* In a child: what is written from now on is the child's own. False when the system refuses. */
bool trace_arena_part(struct trace_arena *arena);

void trace_arena_free(struct trace_arena *arena);

#endif
