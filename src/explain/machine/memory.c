#include "explain/machine/memory.h"

#include <stdlib.h>
#include <string.h>

#define PAGE 4096

struct machine_page {
    unsigned char bytes[PAGE];
    bool is_known[PAGE / 4]; /* of each word */
};

bool machine_memory_add(struct machine_memory *memory, const struct machine_buffer *buffer)
{
    for (size_t i = 0; i < memory->count; i++)
        if (memory->buffers[i].address == buffer->address)
            return true;
    if (memory->count == MACHINE_BUFFERS_MAX || buffer->bytes > SIZE_MAX / 2)
        return true; /* nothing will be known of it */
    struct machine_page **pages = calloc(buffer->bytes / PAGE + 1, sizeof *pages);
    if (pages) {
        memory->buffers[memory->count] = *buffer;
        memory->buffers[memory->count++].pages = pages;
    }
    return pages != NULL;
}

void machine_memory_restore(struct machine_memory *memory)
{
    for (size_t i = 0; i < memory->count; i++)
        for (size_t p = 0; p <= memory->buffers[i].bytes / PAGE; p++) {
            free(memory->buffers[i].pages[p]);
            memory->buffers[i].pages[p] = NULL;
        }
}

void machine_memory_free(struct machine_memory *memory)
{
    machine_memory_restore(memory);
    for (size_t i = 0; i < memory->count; i++)
        free(memory->buffers[i].pages);
    *memory = (struct machine_memory){.count = 0};
}

static struct machine_buffer *find(struct machine_memory *memory, uint64_t address, unsigned bytes)
{
    for (size_t n = 0; n < memory->count; n++) {
        size_t i = (memory->last + n) % memory->count;
        struct machine_buffer *buffer = &memory->buffers[i];
        if (address >= buffer->address && address - buffer->address <= buffer->bytes &&
            buffer->bytes - (address - buffer->address) >= bytes) {
            memory->last = i;
            return buffer;
        }
    }
    return NULL;
}

bool machine_memory_read(struct machine_memory *memory, uint64_t address, unsigned bytes, uint32_t *word)
{
    struct machine_buffer *buffer = memory ? find(memory, address, bytes) : NULL;
    *word = 0;
    if (!buffer || address % bytes != 0)
        return false;
    uint64_t at = address - buffer->address;
    const struct machine_page *page = buffer->pages[at / PAGE];
    if (page)
        memcpy(word, page->bytes + at % PAGE, bytes);
    else if (buffer->contents)
        memcpy(word, buffer->contents + at, bytes);
    return page ? page->is_known[at % PAGE / 4] : buffer->contents != NULL || buffer->is_zero;
}

static struct machine_page *page_of(struct machine_buffer *buffer, size_t index)
{
    if (buffer->pages[index])
        return buffer->pages[index];
    struct machine_page *page = calloc(1, sizeof *page);
    uint64_t first = (uint64_t)index * PAGE;
    if (page && buffer->contents)
        memcpy(page->bytes, buffer->contents + first, buffer->bytes - first < PAGE ? buffer->bytes - first : PAGE);
    if (page && (buffer->contents || buffer->is_zero))
        memset(page->is_known, true, sizeof page->is_known);
    return buffer->pages[index] = page;
}

void machine_memory_write(struct machine_memory *memory, uint64_t address, unsigned bytes, uint32_t word, bool is_known)
{
    struct machine_buffer *buffer = memory ? find(memory, address, bytes) : NULL;
    if (!buffer || address % bytes != 0)
        return;
    uint64_t at = address - buffer->address;
    struct machine_page *page = page_of(buffer, at / PAGE);
    if (!page)
        return;
    memcpy(page->bytes + at % PAGE, &word, bytes);
    bool *known = &page->is_known[at % PAGE / 4];
    *known = is_known && (bytes == 4 || *known);
}
