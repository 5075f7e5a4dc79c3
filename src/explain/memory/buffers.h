/* The trace device's memory. Each buffer has its own range of addresses, so that a traced access identifies its buffer,
 * and an access outside every buffer is detected. */
#pragma once

#include "backends/backend.h"
#include "explain/memory/lane.h"

struct trace_arena {
    unsigned char *base; /* NULL until reserved */
    uint64_t bytes_most; /* that all buffers together may have */
    unsigned long slot_bytes[ARENA_SLOTS];
    int files[ARENA_SLOTS]; /* files behind the slots, so that children share the memory; -1 for empty slots */
    bool is_used[ARENA_SLOTS];
};

/* The backend's functions; trace_arena_of (explain/memory/trace_device.h) finds the device's arena. */
enum status trace_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error);
enum status trace_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                       struct error *error);
void trace_release(struct buffer *buffer);

/* The buffer's offset from the start of the arena, bytes. */
uint64_t trace_buffer_offset(const struct buffer *buffer);

/* In a child: makes further writes private to the child. False when the system refuses. */
bool trace_arena_part(struct trace_arena *arena);

void trace_arena_free(struct trace_arena *arena);
