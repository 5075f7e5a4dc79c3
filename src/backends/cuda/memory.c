#include "backends/cuda/device.h"

#include "base/size.h"
#include "base/text.h"

/* The driver promises 256 bytes of alignment. Large allocations begin at a page anyway; only one that does not is made
 * again with room to move its start, so that memory checkers see the exact end of the others. */
static enum status allocate_aligned(size_t bytes, CUdeviceptr *base, CUdeviceptr *start, CUresult *result)
{
    *result = cuda.MemAlloc(base, bytes ? bytes : 1);
    if (*result == CUDA_SUCCESS && *base % BUFFER_ALIGNMENT != 0) {
        cuda.MemFree(*base);
        size_t room;
        if (!size_add(bytes, BUFFER_ALIGNMENT, &room))
            return STATUS_INVALID;
        *result = cuda.MemAlloc(base, room);
    }
    if (*result == CUDA_SUCCESS)
        *start = (*base + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
    return STATUS_OK;
}

enum status cuda_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    char size[32];
    CUdeviceptr base = 0, start = 0;
    CUresult result;
    enum status status = cuda_use(device, error);
    if (status != STATUS_OK)
        return status;
    if (allocate_aligned(bytes, &base, &start, &result) != STATUS_OK)
        return fail(error, STATUS_INVALID, "%s: %zu bytes are too many", device->id, bytes);
    status = cuda_device_check(device, result, error, "allocating %s", text_bytes((double)bytes, size, sizeof size));
    if (status == STATUS_OK)
        *buffer = (struct buffer){
            .device = device,
            .bytes = bytes,
            .native = (uintptr_t)start,
            .detail = (void *)(uintptr_t)base, /* what is to be freed */
        };
    return status;
}

enum status cuda_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                      struct error *error)
{
    (void)error;
    *buffer = (struct buffer){
        .device = parent->device,
        .bytes = bytes,
        .native = parent->native + offset,
        .is_view = true,
        .sharing = parent->sharing,
        .detail = parent->sharing ? (char *)parent->detail + offset : NULL,
    };
    return STATUS_OK;
}

void cuda_release(struct buffer *buffer)
{
    if (buffer->is_view || cuda_use(buffer->device, NULL) != STATUS_OK)
        return;
    if (buffer->sharing)
        cuda_release_shared(buffer);
    else
        cuda.MemFree((CUdeviceptr)(uintptr_t)buffer->detail);
}

/* Everything goes through the device's own stream, which does not wait for the default one, as it is what orders a copy
 * behind the launches before it. */
static CUstream stream_of(const struct buffer *buffer)
{
    return cuda_device_of(buffer->device)->stream;
}

static enum status finish(const struct buffer *buffer, CUresult result, const char *direction, size_t bytes,
                          struct error *error)
{
    if (result == CUDA_SUCCESS)
        result = cuda.StreamSynchronize(stream_of(buffer));
    return cuda_device_check(buffer->device, result, error, "copying %zu bytes %s the device", bytes, direction);
}

enum status cuda_write(const struct buffer *buffer, size_t offset, const void *host, size_t bytes, struct error *error)
{
    enum status status = cuda_use(buffer->device, error);
    if (status != STATUS_OK || bytes == 0)
        return status;
    CUresult result = cuda.MemcpyHtoDAsync(buffer->native + offset, host, bytes, stream_of(buffer));
    return finish(buffer, result, "to", bytes, error);
}

enum status cuda_read(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error)
{
    enum status status = cuda_use(buffer->device, error);
    if (status != STATUS_OK || bytes == 0)
        return status;
    CUresult result = cuda.MemcpyDtoHAsync(host, buffer->native + offset, bytes, stream_of(buffer));
    return finish(buffer, result, "from", bytes, error);
}

enum status cuda_copy(const struct buffer *target, size_t target_offset, const struct buffer *source,
                      size_t source_offset, size_t bytes, struct error *error)
{
    enum status status = cuda_use(target->device, error);
    if (status != STATUS_OK || bytes == 0)
        return status;
    CUresult result =
        cuda.MemcpyDtoDAsync(target->native + target_offset, source->native + source_offset, bytes, stream_of(target));
    return cuda_device_check(target->device, result, error, "copying %zu bytes on the device", bytes);
}

enum status cuda_fill(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                      struct error *error)
{
    enum status status = cuda_use(buffer->device, error);
    if (status != STATUS_OK || bytes == 0)
        return status;
    CUresult result = cuda.MemsetD8Async(buffer->native + offset, value, bytes, stream_of(buffer));
    return cuda_device_check(buffer->device, result, error, "filling %zu bytes", bytes);
}
