/* Kinds of host memory, pinned memory and shared buffers: what every backend would have to ask is asked here. */
#include <string.h>

#include "backends/backend.h"
#include "base/size.h"
#include "base/text.h"

static const char *const names[MEMORY_KIND_COUNT] = {
    [MEMORY_PAGEABLE] = "pageable",
    [MEMORY_PINNED] = "pinned",
    [MEMORY_MANAGED] = "managed",
    [MEMORY_MAPPED] = "mapped",
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
    return fail(error, STATUS_INVALID,
                "there is no memory called '%s'%s%s%s; it is pageable, pinned, managed or mapped", name,
                closest ? "; did you mean '" : "", closest ? closest : "", closest ? "'?" : "");
}

enum status host_memory_pin(struct device *device, size_t bytes, struct host_memory *memory, struct error *error)
{
    memset(memory, 0, sizeof *memory);
    if (!device->backend->pin)
        return fail(error, STATUS_UNAVAILABLE, "%s works in the host's own memory: there is nobody to pin it for",
                    device->id);
    return device->backend->pin(device, bytes ? bytes : 1, memory, error);
}

void host_memory_unpin(struct host_memory *memory)
{
    if (memory->device)
        memory->device->backend->unpin(memory);
    memset(memory, 0, sizeof *memory);
}

enum status buffer_share(struct device *device, enum memory_kind kind, size_t bytes, struct buffer *buffer,
                         struct error *error)
{
    memset(buffer, 0, sizeof *buffer);
    if (kind != MEMORY_MANAGED && kind != MEMORY_MAPPED)
        return fail(error, STATUS_INVALID, "%s memory is not shared with a device", names[kind]);
    if (!device->backend->share)
        return fail(error, STATUS_UNAVAILABLE, "%s works in the host's own memory: all of it is shared", device->id);
    return device->backend->share(device, kind, bytes, buffer, error);
}

enum status buffer_map(struct buffer *buffer, struct error *error)
{
    if (!buffer->device || !buffer->sharing)
        return fail(error, STATUS_INVALID, "a buffer that is not shared cannot be mapped");
    return buffer->host ? STATUS_OK : buffer->device->backend->map(buffer, error);
}

enum status buffer_unmap(struct buffer *buffer, struct error *error)
{
    if (!buffer->device || !buffer->sharing || !buffer->host)
        return STATUS_OK;
    return buffer->device->backend->unmap(buffer, error);
}
