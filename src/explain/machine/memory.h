/* Global memory of a launch that is executed: buffers, with what is in them as far as that is known. What the launch
 * writes stays here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_BUFFERS_MAX 32

struct machine_page;

struct machine_buffer {
    uint64_t address, bytes;
    const unsigned char *contents; /* the caller's; NULL: `is_zero`, or not known */
    bool is_zero;
    struct machine_page **pages; /* that were written to */
};

struct machine_memory {
    struct machine_buffer buffers[MACHINE_BUFFERS_MAX];
    size_t count, last;
};

/* Adds a buffer; false when out of memory. One that is there already stays as it is. */
bool machine_memory_add(struct machine_memory *memory, const struct machine_buffer *buffer);
/* Forgets what was written. */
void machine_memory_restore(struct machine_memory *memory);
void machine_memory_free(struct machine_memory *memory); /* zeroed is fine */

/* `bytes` is 1, 2 or 4; returns whether the word is known. */
bool machine_memory_read(struct machine_memory *memory, uint64_t address, unsigned bytes, uint32_t *word);
void machine_memory_write(struct machine_memory *memory, uint64_t address, unsigned bytes, uint32_t word,
                          bool is_known);
