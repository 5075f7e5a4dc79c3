#include "backends/cpu/host.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/size.h"
#include "base/text.h"
#include "base/unpredictable.h"

#define HUGE_PAGE ((size_t)2 << 20)

/* The address, on both backends: `host` is what CPU rungs may see, and null's is hidden from them. */
static unsigned char *address(const struct buffer *buffer, size_t offset)
{
    return (unsigned char *)buffer->native + offset;
}

/* NULL when the size, rounded up, does not fit or memory is out. */
static void *allocate_aligned(size_t bytes)
{
    size_t alignment = bytes >= 2 * HUGE_PAGE ? HUGE_PAGE : BUFFER_ALIGNMENT;
    size_t rounded;
    if (!size_add(bytes ? bytes : 1, alignment - 1, &rounded))
        return NULL;
    rounded -= rounded % alignment;
    void *memory = aligned_alloc(alignment, rounded);
    if (memory && alignment == HUGE_PAGE)
        madvise(memory, rounded, MADV_HUGEPAGE); /* a wish: without it the pages are small, and all is correct */
    return memory;
}

enum status host_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    /* The system would promise more than there is, and end the process when it is touched. */
    uint64_t there = device->properties.memory_bytes;
    void *memory = there && bytes > there ? NULL : allocate_aligned(bytes);
    if (!memory) {
        char size[32];
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a buffer of %s", device->id,
                    text_bytes((double)bytes, size, sizeof size));
    }
    *buffer = (struct buffer){.device = device, .bytes = bytes, .native = (uintptr_t)memory};
    if (!device_is_null(device))
        buffer->host = memory;
    return STATUS_OK;
}

enum status host_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                      struct error *error)
{
    (void)error;
    *buffer = *parent;
    buffer->bytes = bytes;
    buffer->native += offset;
    if (parent->host)
        buffer->host = address(parent, offset);
    buffer->is_view = true;
    return STATUS_OK;
}

void host_release(struct buffer *buffer)
{
    if (!buffer->is_view)
        free(address(buffer, 0));
}

enum status host_write(const struct buffer *buffer, size_t offset, const void *host, size_t bytes, struct error *error)
{
    (void)error;
    memcpy(address(buffer, offset), host, bytes);
    return STATUS_OK;
}

enum status host_read(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error)
{
    (void)error;
    memcpy(host, address(buffer, offset), bytes);
    return STATUS_OK;
}

enum status host_fill(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                      struct error *error)
{
    (void)error;
    memset(address(buffer, offset), value, bytes);
    return STATUS_OK;
}

/* A user's code shares the memory: it could look for the time at which it began, and move it. */
struct host_event {
    struct event base;
    int64_t time;
    uint64_t mask, masked; /* the time once more: their exclusive or */
    bool recorded;
};

static bool is_moved(const struct host_event *event)
{
    return (uint64_t)event->time != (event->masked ^ event->mask);
}

enum status host_event_create(struct device *device, struct event **mark, struct error *error)
{
    struct host_event *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a mark", device->id);
    made->base.device = device;
    made->mask = unpredictable();
    *mark = &made->base;
    return STATUS_OK;
}

void host_event_destroy(struct event *mark)
{
    free(mark);
}

enum status host_event_record(struct event *mark, struct error *error)
{
    (void)error;
    struct host_event *host = (struct host_event *)mark;
    host->recorded = true;
    host->time = clock_now();
    host->masked = (uint64_t)host->time ^ host->mask;
    return STATUS_OK;
}

enum status host_event_elapsed(struct event *from, struct event *to, double *nanoseconds, struct error *error)
{
    const struct host_event *first = (const struct host_event *)from, *last = (const struct host_event *)to;
    if (!first->recorded || !last->recorded)
        return fail(error, STATUS_INVALID, "%s: a mark that was never recorded has no time", from->device->id);
    if (is_moved(first) || is_moved(last))
        return fail(error, STATUS_FAILED, "changed the time at which it began");
    *nanoseconds = (double)(last->time - first->time);
    return STATUS_OK;
}

enum status host_synchronize(struct device *device, struct error *error)
{
    (void)device;
    (void)error;
    return STATUS_OK;
}
