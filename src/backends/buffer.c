/* Memory as kernels and the lab see it: every range is checked before a backend gets it. */
#include <string.h>

#include "backends/backend.h"
#include "backends/driver_call.h"
#include "base/memory.h"
#include "base/text.h"

static bool in_range(const struct buffer *buffer, size_t offset, size_t bytes)
{
    return offset <= buffer->bytes && bytes <= buffer->bytes - offset;
}

static enum status check_range(const struct buffer *buffer, size_t offset, size_t bytes, const char *what,
                               struct error *error)
{
    if (!buffer->device)
        return fail(error, STATUS_INVALID, "%s: the buffer was never allocated", what);
    if (!in_range(buffer, offset, bytes))
        return fail(error, STATUS_INVALID, "%s: %zu bytes from offset %zu do not fit a buffer of %zu bytes", what,
                    bytes, offset, buffer->bytes);
    return STATUS_OK;
}

/* A kernel that promises memory it does not have ends the program when that is touched. */
static enum status check_memory(const struct device *device, size_t bytes, struct error *error)
{
    char needed[32], there[32];
    uint64_t most = device->properties.memory_bytes;
    if (most > 0 && bytes > most)
        return fail(error, STATUS_UNAVAILABLE, "%s: needs %s of memory, and the device has %s", device->id,
                    text_bytes((double)bytes, needed, sizeof needed), text_bytes((double)most, there, sizeof there));
    if (!device->properties.is_cpu || memory_suffices(bytes, device->id, error) == STATUS_OK)
        return STATUS_OK;
    return STATUS_UNAVAILABLE; /* a rung's scratch memory: it is left out, the others run */
}

enum status buffer_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    memset(buffer, 0, sizeof *buffer);
    enum status status = check_memory(device, bytes, error);
    if (status != STATUS_OK)
        return status;
    const struct driver_call call = driver_call_begin(device);
    return driver_call_done(call, device->backend->allocate(device, bytes, buffer, error));
}

enum status buffer_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                        struct error *error)
{
    memset(buffer, 0, sizeof *buffer);
    enum status status = check_range(parent, offset, bytes, "view", error);
    if (status != STATUS_OK)
        return status;
    if (offset % BUFFER_ALIGNMENT != 0)
        return fail(error, STATUS_INVALID, "view: offset %zu is not a multiple of %d", offset, BUFFER_ALIGNMENT);
    const struct driver_call call = driver_call_begin(parent->device);
    return driver_call_done(call, parent->device->backend->view(parent, offset, bytes, buffer, error));
}

void buffer_release(struct buffer *buffer)
{
    if (buffer->device) {
        buffer_unmap(buffer, NULL);
        const struct driver_call call = driver_call_begin(buffer->device);
        buffer->device->backend->release(buffer);
        driver_call_end(call);
    }
    memset(buffer, 0, sizeof *buffer);
}

enum status buffer_write(const struct buffer *buffer, size_t offset, const void *host, size_t bytes,
                         struct error *error)
{
    enum status status = check_range(buffer, offset, bytes, "write", error);
    if (status != STATUS_OK || bytes == 0)
        return status;
    const struct driver_call call = driver_call_begin(buffer->device);
    return driver_call_done(call, buffer->device->backend->write(buffer, offset, host, bytes, error));
}

enum status buffer_read(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error)
{
    enum status status = check_range(buffer, offset, bytes, "read", error);
    if (status != STATUS_OK || bytes == 0)
        return status;
    const struct driver_call call = driver_call_begin(buffer->device);
    return driver_call_done(call, buffer->device->backend->read(buffer, offset, host, bytes, error));
}

/* Two ranges of one buffer, or of host memory seen through two views. OpenCL and CUDA see their own views. */
static bool overlap(const struct buffer *a, size_t a_offset, const struct buffer *b, size_t b_offset, size_t bytes)
{
    uintptr_t base_a = (uintptr_t)a->host, base_b = (uintptr_t)b->host;
    if (!(a->host && b->host) && a->native != b->native)
        return false;
    uintptr_t from_a = base_a + a_offset, from_b = base_b + b_offset;
    return from_a < from_b + bytes && from_b < from_a + bytes;
}

enum status buffer_copy(const struct buffer *target, size_t target_offset, const struct buffer *source,
                        size_t source_offset, size_t bytes, struct error *error)
{
    enum status status = check_range(target, target_offset, bytes, "copy's target", error);
    if (status == STATUS_OK)
        status = check_range(source, source_offset, bytes, "copy's source", error);
    if (status != STATUS_OK || bytes == 0)
        return status;
    if (target->device != source->device)
        return fail(error, STATUS_INVALID, "copy: the source is on %s and the target on %s; both must be on one device",
                    source->device->id, target->device->id);
    if (overlap(target, target_offset, source, source_offset, bytes))
        return fail(error, STATUS_INVALID, "copy: source and target overlap");
    const struct driver_call call = driver_call_begin(target->device);
    return driver_call_done(call,
                            target->device->backend->copy(target, target_offset, source, source_offset, bytes, error));
}

enum status buffer_fill(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                        struct error *error)
{
    enum status status = check_range(buffer, offset, bytes, "fill", error);
    if (status != STATUS_OK || bytes == 0)
        return status;
    const struct driver_call call = driver_call_begin(buffer->device);
    return driver_call_done(call, buffer->device->backend->fill(buffer, offset, value, bytes, error));
}
