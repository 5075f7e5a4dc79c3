#include "backends/cuda/device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/all.h"

enum status cuda_device_check(const struct device *device, CUresult result, struct error *error, const char *doing, ...)
{
    if (result == CUDA_SUCCESS)
        return STATUS_OK;
    char what[256];
    va_list arguments;
    va_start(arguments, doing);
    vsnprintf(what, sizeof what, doing, arguments);
    va_end(arguments);
    return cuda_check(result, error, "%s: %s", device->id, what);
}

enum status cuda_use(const struct device *device, struct error *error)
{
    return cuda_device_check(device, cuda.CtxSetCurrent(cuda_device_of(device)->context), error,
                             "making the context current");
}

enum status cuda_probe(int *count, struct error *error)
{
    *count = 0;
    enum status status = cuda_driver_load(error);
    if (status != STATUS_OK)
        return status;
    status = cuda_check(cuda.DeviceGetCount(count), error, "counting CUDA devices");
    if (status == STATUS_OK && *count < 1)
        return fail(error, STATUS_UNAVAILABLE,
                    "NVIDIA's driver is here and sees no GPU (CUDA_VISIBLE_DEVICES may hide them)");
    return status;
}

static enum status open_device(struct cuda_device *device, struct error *error)
{
    const struct device *base = &device->base;
    enum status status =
        cuda_device_check(base, cuda.DeviceGet(&device->handle, base->index), error, "finding the device");
    if (status == STATUS_OK)
        status = cuda_device_check(base, cuda.DevicePrimaryCtxRetain(&device->context, device->handle), error,
                                   "opening the device's primary context");
    if (status == STATUS_OK)
        status = cuda_use(base, error);
    if (status == STATUS_OK)
        status =
            cuda_device_check(base, cuda.StreamCreate(&device->own, CU_STREAM_NON_BLOCKING), error, "making a stream");
    device->base.native_queue = device->stream = device->own;
    if (status == STATUS_OK)
        status = cuda_read_properties(device, error);
    return status;
}

enum status cuda_open(int index, struct device **device, struct error *error)
{
    *device = NULL;
    enum status status = cuda_driver_load(error);
    if (status != STATUS_OK)
        return status;
    struct cuda_device *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "cuda:%d: no memory for a device", index);
    made->base.backend = &backend_cuda;
    made->base.index = index;
    snprintf(made->base.id, sizeof made->base.id, "cuda:%d", index);
    status = open_device(made, error);
    if (status != STATUS_OK) {
        cuda_close(&made->base);
        return status;
    }
    *device = &made->base;
    return STATUS_OK;
}

void cuda_close(struct device *device)
{
    struct cuda_device *own = cuda_device_of(device);
    if (own->is_adopted) {
        free(own);
        return;
    }
    if (own->own && cuda_use(device, NULL) == STATUS_OK)
        cuda.StreamDestroy(own->own);
    if (own->context) {
        cuda.CtxSetCurrent(NULL);
        cuda.DevicePrimaryCtxRelease(own->handle);
    }
    free(own);
}

enum status cuda_synchronize(struct device *device, struct error *error)
{
    enum status status = cuda_use(device, error);
    if (status == STATUS_OK)
        status = cuda_device_check(device, cuda.StreamSynchronize(cuda_device_of(device)->stream), error,
                                   "finishing what was enqueued");
    return status;
}
