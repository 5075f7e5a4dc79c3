/* OpenCL's buffers. */
#include <stdio.h>
#include <string.h>

#include "backends/opencl/opencl.h"
#include "base/text.h"

/* Drivers take memory when a buffer is first used. Using it here makes "the memory is full" come now, and off every
 * clock. */
static cl_int settle(const struct opencl_device *device, cl_mem memory)
{
    cl_int code =
        cl.EnqueueMigrateMemObjects(device->queue, 1, &memory, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL, NULL);
    return code == CL_SUCCESS ? cl.Finish(device->queue) : code;
}

static enum status fail_allocation(const struct device *device, size_t bytes, cl_int code, struct error *error)
{
    const struct opencl_device *opencl = (const struct opencl_device *)device;
    char doing[64], size[32];
    cl_ulong limit = 0;
    text_bytes((double)bytes, size, sizeof size);
    cl.GetDeviceInfo(opencl->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof limit, &limit, NULL);
    if (code == CL_INVALID_BUFFER_SIZE && bytes > limit) {
        char most[32];
        return fail(error, STATUS_UNAVAILABLE, "%s: no buffer of %s: one buffer has at most %s there", device->id, size,
                    text_bytes((double)limit, most, sizeof most));
    }
    snprintf(doing, sizeof doing, "allocating %s", size);
    return opencl_fail(error, device->id, doing, code);
}

enum status opencl_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    const struct opencl_device *opencl = (struct opencl_device *)device;
    cl_int code = CL_SUCCESS;
    cl_mem memory = cl.CreateBuffer(opencl->context, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL, &code);
    code = opencl_made(memory, code);
    if (code == CL_SUCCESS) {
        code = settle(opencl, memory);
        if (code != CL_SUCCESS)
            cl.ReleaseMemObject(memory);
    }
    if (code != CL_SUCCESS)
        return fail_allocation(device, bytes, code, error);
    *buffer = (struct buffer){.device = device, .bytes = bytes, .native = (uintptr_t)memory};
    return STATUS_OK;
}

cl_int opencl_find_whole(cl_mem *memory, size_t *offset)
{
    cl_mem whole = NULL;
    size_t inside = 0;
    cl_int code = cl.GetMemObjectInfo(*memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &whole, NULL);
    if (code == CL_SUCCESS && whole)
        code = cl.GetMemObjectInfo(*memory, CL_MEM_OFFSET, sizeof inside, &inside, NULL);
    if (code == CL_SUCCESS && whole) {
        *memory = whole;
        *offset += inside;
    }
    return code;
}

enum status opencl_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                        struct error *error)
{
    enum status status = STATUS_OK;
    if (bytes == 0) { /* OpenCL makes no empty window; what it is made of does not matter */
        status = opencl_allocate(parent->device, 0, buffer, error);
    } else {
        cl_mem whole = opencl_memory_of(parent), part = NULL;
        cl_int code = opencl_find_whole(&whole, &offset);
        if (code == CL_SUCCESS) {
            cl_buffer_region region = {offset, bytes};
            part = cl.CreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
            code = opencl_made(part, code);
        }
        if (code != CL_SUCCESS)
            return opencl_fail(error, parent->device->id, "making a view of a buffer", code);
        *buffer = (struct buffer){
            .device = parent->device, .bytes = bytes, .native = (uintptr_t)part, .sharing = parent->sharing};
    }
    buffer->is_view = status == STATUS_OK;
    return status;
}

void opencl_release(struct buffer *buffer)
{
    cl.ReleaseMemObject(opencl_memory_of(buffer));
    if (buffer->sharing && !buffer->is_view)
        opencl_release_shared(buffer);
}

enum status opencl_write(const struct buffer *buffer, size_t offset, const void *host, size_t bytes,
                         struct error *error)
{
    cl_int code = cl.EnqueueWriteBuffer(opencl_device_of(buffer)->queue, opencl_memory_of(buffer), CL_TRUE, offset,
                                        bytes, host, 0, NULL, NULL);
    return code == CL_SUCCESS ? STATUS_OK : opencl_fail_late(error, buffer->device->id, "writing a buffer", code);
}

enum status opencl_read(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error)
{
    cl_int code = cl.EnqueueReadBuffer(opencl_device_of(buffer)->queue, opencl_memory_of(buffer), CL_TRUE, offset,
                                       bytes, host, 0, NULL, NULL);
    return code == CL_SUCCESS ? STATUS_OK : opencl_fail_late(error, buffer->device->id, "reading a buffer", code);
}

/* Wide patterns where they fit: drivers store one pattern at a time. */
enum status opencl_fill(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                        struct error *error)
{
    unsigned char pattern[16];
    size_t width = sizeof pattern;
    while (offset % width != 0 || bytes % width != 0)
        width /= 2;
    memset(pattern, value, sizeof pattern);
    cl_int code = cl.EnqueueFillBuffer(opencl_device_of(buffer)->queue, opencl_memory_of(buffer), pattern, width,
                                       offset, bytes, 0, NULL, NULL);
    return code == CL_SUCCESS ? STATUS_OK : opencl_fail_late(error, buffer->device->id, "filling a buffer", code);
}
