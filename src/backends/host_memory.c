/* Kinds of host memory, pinned memory and shared buffers: what every backend would have to ask is asked here. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backends/backend.h"
#include "backends/driver_call.h"
#include "base/pool.h"
#include "base/size.h"
#include "base/text.h"

#define LARGE_PAGE ((size_t)2 << 20)

static const char *const names[MEMORY_KIND_COUNT] = {
    [MEMORY_PAGEABLE] = "pageable", [MEMORY_PINNED] = "pinned",         [MEMORY_REGISTERED] = "registered",
    [MEMORY_MANAGED] = "managed",   [MEMORY_PREFETCHED] = "prefetched", [MEMORY_MAPPED] = "mapped",
};

const char *memory_kind_name(enum memory_kind kind)
{
    return names[kind];
}

enum status memory_kind_parse(const char *name, enum memory_kind *kind, struct error *error)
{
    for (int k = 0; k < MEMORY_KIND_COUNT; k++)
        if (strcmp(names[k], name) == 0) {
            *kind = (enum memory_kind)k;
            return STATUS_OK;
        }
    const char *closest = text_closest(name, names, MEMORY_KIND_COUNT);
    if (closest)
        return fail(error, STATUS_INVALID,
                    "there is no memory called '%s'; did you mean '%s'?; it is pageable, pinned, registered, managed, "
                    "prefetched or mapped",
                    name, closest);
    return fail(error, STATUS_INVALID,
                "there is no memory called '%s'; it is pageable, pinned, registered, managed, prefetched or mapped",
                name);
}

static void touch(void *data, size_t index, size_t thread)
{
    (void)thread;
    memset((char *)data + index * LARGE_PAGE, 0, LARGE_PAGE);
}

/* Plain memory, on large pages where the system has them, touched so that they are there. */
static void *take_plain(size_t bytes, size_t *rounded)
{
    if (!size_add(bytes, LARGE_PAGE - 1, rounded))
        return NULL;
    *rounded -= *rounded % LARGE_PAGE;
    char *data = aligned_alloc(LARGE_PAGE, *rounded);
    if (!data)
        return NULL;
    madvise(data, *rounded, MADV_HUGEPAGE); /* a wish */
    parallel_for(*rounded / LARGE_PAGE, pool_threads(), touch, data);
    return data;
}

static enum status take_registered(struct device *device, size_t bytes, struct host_memory *memory, struct error *error)
{
    size_t rounded = 0;
    char size[32];
    if (!device->backend->lock)
        return fail(error, STATUS_UNAVAILABLE, "%s locks no memory that it has not allocated itself", device->id);
    void *data = take_plain(bytes, &rounded);
    if (!data)
        return fail(error, STATUS_UNAVAILABLE, "no host memory: %s", text_bytes((double)bytes, size, sizeof size));
    enum status status = device->backend->lock(device, data, rounded, error);
    if (status == STATUS_OK)
        *memory = (struct host_memory){.device = device, .kind = MEMORY_REGISTERED, .data = data, .bytes = bytes};
    else
        free(data);
    return status;
}

enum status host_memory_pin(struct device *device, enum memory_kind kind, size_t bytes, struct host_memory *memory,
                            struct error *error)
{
    memset(memory, 0, sizeof *memory);
    if (kind != MEMORY_PINNED && kind != MEMORY_REGISTERED)
        return fail(error, STATUS_INVALID, "%s memory is not pinned", names[kind]);
    if (!device->backend->pin)
        return fail(error, STATUS_UNAVAILABLE, "%s works in the host's own memory: pinning changes nothing there",
                    device->id);
    if (kind == MEMORY_REGISTERED)
        return take_registered(device, bytes ? bytes : 1, memory, error);
    enum status status = device->backend->pin(device, bytes ? bytes : 1, memory, error);
    memory->kind = status == STATUS_OK ? kind : 0;
    return status;
}

void host_memory_unpin(struct host_memory *memory)
{
    if (memory->device && memory->kind == MEMORY_REGISTERED) {
        memory->device->backend->unlock(memory->device, memory->data);
        free(memory->data);
    } else if (memory->device) {
        memory->device->backend->unpin(memory);
    }
    memset(memory, 0, sizeof *memory);
}

enum status buffer_share(struct device *device, enum memory_kind kind, size_t bytes, struct buffer *buffer,
                         struct error *error)
{
    memset(buffer, 0, sizeof *buffer);
    if (!memory_kind_is_shared(kind))
        return fail(error, STATUS_INVALID, "%s memory is not shared with a device", names[kind]);
    if (!device->backend->share)
        return fail(error, STATUS_UNAVAILABLE, "%s works in the host's own memory: all of it is shared", device->id);
    const struct driver_call call = driver_call_begin(device);
    return driver_call_done(call, device->backend->share(device, kind, bytes, buffer, error));
}

enum status buffer_map(struct buffer *buffer, struct error *error)
{
    if (!buffer->device || !buffer->sharing)
        return fail(error, STATUS_INVALID, "a buffer that is not shared cannot be mapped");
    if (buffer->host)
        return STATUS_OK;
    const struct driver_call call = driver_call_begin(buffer->device);
    return driver_call_done(call, buffer->device->backend->map(buffer, error));
}

enum status buffer_unmap(struct buffer *buffer, struct error *error)
{
    if (!buffer->device || !buffer->sharing || !buffer->host)
        return STATUS_OK;
    const struct driver_call call = driver_call_begin(buffer->device);
    return driver_call_done(call, buffer->device->backend->unmap(buffer, error));
}
