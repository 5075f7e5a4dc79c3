/* Pinned host memory, and memory that host and device share. */
#include "backends/cuda/device.h"
#include "base/text.h"

enum status cuda_pin(struct device *device, size_t bytes, struct host_memory *memory, struct error *error)
{
    char size[32];
    void *data = NULL;
    enum status status = cuda_use(device, error);
    if (status != STATUS_OK)
        return status;
    CUresult result = cuda.MemHostAlloc(&data, bytes, CU_MEMHOSTALLOC_PORTABLE);
    status = cuda_device_check(device, result, error, "pinning %s of host memory",
                               text_bytes((double)bytes, size, sizeof size));
    if (status == STATUS_OK)
        *memory = (struct host_memory){.device = device, .data = data, .bytes = bytes};
    return status;
}

void cuda_unpin(struct host_memory *memory)
{
    if (cuda_use(memory->device, NULL) == STATUS_OK)
        cuda.MemFreeHost(memory->data);
}

enum status cuda_lock(struct device *device, void *data, size_t bytes, struct error *error)
{
    char size[32];
    enum status status = cuda_use(device, error);
    if (status != STATUS_OK)
        return status;
    return cuda_device_check(device, cuda.MemHostRegister(data, bytes, CU_MEMHOSTALLOC_PORTABLE), error,
                             "registering %s of host memory", text_bytes((double)bytes, size, sizeof size));
}

void cuda_unlock(struct device *device, void *data)
{
    if (cuda_use(device, NULL) == STATUS_OK)
        cuda.MemHostUnregister(data);
}

/* Whether all pages of managed memory can be sent for at once. */
static bool prefetches(struct device *device)
{
    return cuda.MemPrefetchAsync &&
           cuda_attribute(cuda_device_of(device), CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS);
}

/* Managed memory beyond what the device has would be moved in and out all the time, and can bring a driver to a stop.
 */
static enum status share_managed(struct device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    CUdeviceptr address = 0;
    char size[32];
    text_bytes((double)bytes, size, sizeof size);
    if (!cuda_attribute(cuda_device_of(device), CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY))
        return fail(error, STATUS_UNAVAILABLE, "%s has no managed memory (CUDA: unified memory)", device->id);
    if (buffer->sharing == MEMORY_PREFETCHED && !prefetches(device))
        return fail(error, STATUS_UNAVAILABLE, "%s: pages of managed memory cannot be sent for here", device->id);
    if (bytes > device->properties.memory_bytes / 2)
        return fail(error, STATUS_UNAVAILABLE, "%s: %s of managed memory is more than half of the device's", device->id,
                    size);
    CUresult result = cuda.MemAllocManaged(&address, bytes, CU_MEM_ATTACH_GLOBAL);
    buffer->native = (uintptr_t)address;
    buffer->detail = (void *)(uintptr_t)address; /* the host's address is the same */
    return cuda_device_check(device, result, error, "allocating %s of managed memory", size);
}

static enum status share_mapped(struct device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    CUdeviceptr address = 0;
    void *data = NULL;
    char size[32];
    if (!cuda_attribute(cuda_device_of(device), CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY))
        return fail(error, STATUS_UNAVAILABLE, "%s cannot read and write host memory by itself", device->id);
    CUresult result = cuda.MemHostAlloc(&data, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    if (result == CUDA_SUCCESS) {
        result = cuda.MemHostGetDevicePointer(&address, data, 0);
        if (result != CUDA_SUCCESS)
            cuda.MemFreeHost(data);
    }
    buffer->native = (uintptr_t)address;
    buffer->detail = data;
    return cuda_device_check(device, result, error, "mapping %s of host memory",
                             text_bytes((double)bytes, size, sizeof size));
}

enum status cuda_share(struct device *device, enum memory_kind kind, size_t bytes, struct buffer *buffer,
                       struct error *error)
{
    struct buffer made = {.device = device, .bytes = bytes, .sharing = kind};
    enum status status = cuda_use(device, error);
    if (status == STATUS_OK)
        status = kind == MEMORY_MAPPED ? share_mapped(device, bytes ? bytes : 1, &made, error)
                                       : share_managed(device, bytes ? bytes : 1, &made, error);
    if (status == STATUS_OK)
        *buffer = made;
    return status;
}

void cuda_release_shared(struct buffer *buffer)
{
    if (buffer->sharing == MEMORY_MAPPED)
        cuda.MemFreeHost(buffer->detail);
    else
        cuda.MemFree((CUdeviceptr)buffer->native);
}

/* Behind all that is enqueued, and waited for. */
static enum status send_for_pages(struct buffer *buffer, CUdevice target, struct error *error)
{
    struct device *device = buffer->device;
    enum status status = cuda_use(device, error);
    if (status != STATUS_OK || buffer->sharing != MEMORY_PREFETCHED || buffer->bytes == 0)
        return status;
    CUresult result = cuda.MemPrefetchAsync(buffer->native, buffer->bytes, target, cuda_device_of(device)->stream);
    return cuda_device_check(device, result, error, "sending for %zu bytes of managed memory", buffer->bytes);
}

/* The host may look once the device is done; the pages come when they are touched, or are here already. */
enum status cuda_map(struct buffer *buffer, struct error *error)
{
    enum status status = send_for_pages(buffer, CU_DEVICE_CPU, error);
    if (status == STATUS_OK)
        status = cuda_synchronize(buffer->device, error);
    if (status == STATUS_OK)
        buffer->host = buffer->detail;
    return status;
}

enum status cuda_unmap(struct buffer *buffer, struct error *error)
{
    buffer->host = NULL;
    enum status status = send_for_pages(buffer, cuda_device_of(buffer->device)->handle, error);
    return status == STATUS_OK && buffer->sharing == MEMORY_PREFETCHED ? cuda_synchronize(buffer->device, error)
                                                                       : status;
}
