/* Pinned host memory, and memory that host and device share.
 *
 * OpenCL has no word for pinned memory: drivers pin what CL_MEM_ALLOC_HOST_PTR asks for, and copy fast from and to
 * where such a buffer is mapped. Managed memory is coarse-grained shared virtual memory of OpenCL 2.0, seen through a
 * buffer that is laid over it. */
#include "backends/opencl/opencl.h"
#include "base/text.h"

/* Blocking; NULL and a code when it fails. */
static void *map(const struct opencl_device *device, cl_mem memory, size_t bytes, cl_int *code)
{
    *code = CL_SUCCESS;
    void *data =
        cl.EnqueueMapBuffer(device->queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, code);
    *code = opencl_made(data, *code);
    return data;
}

static void unmap(const struct opencl_device *device, cl_mem memory, void *data)
{
    if (cl.EnqueueUnmapMemObject(device->queue, memory, data, 0, NULL, NULL) == CL_SUCCESS)
        cl.Finish(device->queue);
}

static enum status fail_size(struct error *error, const struct device *device, const char *doing, size_t bytes,
                             cl_int code)
{
    char size[32];
    enum status status = opencl_fail(error, device->id, doing, code);
    return fail_in(error, status, "%s", text_bytes((double)bytes, size, sizeof size));
}

enum status opencl_pin(struct device *device, size_t bytes, struct host_memory *memory, struct error *error)
{
    const struct opencl_device *opencl = (struct opencl_device *)device;
    cl_int code = CL_SUCCESS;
    cl_mem pinned = cl.CreateBuffer(opencl->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    code = opencl_made(pinned, code);
    if (code != CL_SUCCESS)
        return fail_size(error, device, "pinning host memory", bytes, code);
    void *data = map(opencl, pinned, bytes, &code);
    if (code != CL_SUCCESS) {
        cl.ReleaseMemObject(pinned);
        return fail_size(error, device, "mapping pinned host memory", bytes, code);
    }
    *memory = (struct host_memory){.device = device, .data = data, .bytes = bytes, .detail = pinned};
    return STATUS_OK;
}

void opencl_unpin(struct host_memory *memory)
{
    unmap((struct opencl_device *)memory->device, memory->detail, memory->data);
    cl.ReleaseMemObject(memory->detail);
}

static enum status share_managed(struct opencl_device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    cl_device_svm_capabilities can = 0;
    cl_int code = cl.GetDeviceInfo(device->id, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL);
    if (!cl.SVMAlloc || !cl.SVMFree || code != CL_SUCCESS || !(can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
        return fail(error, STATUS_UNAVAILABLE, "%s has no shared virtual memory (OpenCL 2.0)", device->base.id);
    void *data = cl.SVMAlloc(device->context, CL_MEM_READ_WRITE, bytes, BUFFER_ALIGNMENT);
    if (!data)
        data = cl.SVMAlloc(device->context, CL_MEM_READ_WRITE, bytes, 0); /* the alignment is more than some take */
    if (!data)
        return fail_size(error, &device->base, "allocating shared virtual memory", bytes,
                         CL_MEM_OBJECT_ALLOCATION_FAILURE);
    cl_mem memory = cl.CreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, data, &code);
    code = opencl_made(memory, code);
    if (code != CL_SUCCESS) {
        cl.SVMFree(device->context, data);
        return fail_size(error, &device->base, "laying a buffer over shared virtual memory", bytes, code);
    }
    buffer->native = (uintptr_t)memory;
    buffer->detail = data;
    return STATUS_OK;
}

enum status opencl_share(struct device *device, enum memory_kind kind, size_t bytes, struct buffer *buffer,
                         struct error *error)
{
    struct opencl_device *opencl = (struct opencl_device *)device;
    struct buffer made = {.device = device, .bytes = bytes, .sharing = kind};
    size_t least = bytes ? bytes : 1;
    enum status status = STATUS_OK;
    if (kind == MEMORY_PREFETCHED) {
        status =
            fail(error, STATUS_UNAVAILABLE, "%s: pages of shared memory are sent for through CUDA only", device->id);
    } else if (kind == MEMORY_MANAGED) {
        status = share_managed(opencl, least, &made, error);
    } else {
        cl_int code = CL_SUCCESS;
        cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR;
        made.native = (uintptr_t)cl.CreateBuffer(opencl->context, flags, least, NULL, &code);
        code = opencl_made((const void *)made.native, code);
        if (code != CL_SUCCESS)
            status = fail_size(error, device, "allocating host memory for the device to map", bytes, code);
    }
    if (status == STATUS_OK)
        *buffer = made;
    return status;
}

/* Its cl_mem is released already. */
void opencl_release_shared(struct buffer *buffer)
{
    const struct opencl_device *device = opencl_device_of(buffer);
    cl.Finish(device->queue);
    if (buffer->sharing == MEMORY_MANAGED)
        cl.SVMFree(device->context, buffer->detail);
}

enum status opencl_map(struct buffer *buffer, struct error *error)
{
    cl_int code;
    void *data = map(opencl_device_of(buffer), opencl_memory_of(buffer), buffer->bytes ? buffer->bytes : 1, &code);
    if (code != CL_SUCCESS)
        return opencl_fail(error, buffer->device->id, "mapping a buffer", code);
    buffer->host = data;
    return STATUS_OK;
}

enum status opencl_unmap(struct buffer *buffer, struct error *error)
{
    const struct opencl_device *device = opencl_device_of(buffer);
    cl_int code = cl.EnqueueUnmapMemObject(device->queue, opencl_memory_of(buffer), buffer->host, 0, NULL, NULL);
    if (code == CL_SUCCESS) {
        buffer->host = NULL;
        code = cl.Finish(device->queue);
    }
    return code == CL_SUCCESS ? STATUS_OK : opencl_fail_late(error, buffer->device->id, "unmapping a buffer", code);
}
