/* A stream and memory of the caller's own. */
#include "backends/adopt.h"

#include <stdio.h>
#include <stdlib.h>

#include "backends/all.h"
#include "backends/cuda/device.h"

/* The driver finds a device by its number, and tells its handle. */
static int number_of(CUdevice handle)
{
    int count = 0, number = 0;
    CUdevice found;
    if (cuda.DeviceGetCount(&count) != CUDA_SUCCESS)
        return 0;
    while (number < count && !(cuda.DeviceGet(&found, number) == CUDA_SUCCESS && found == handle))
        number++;
    return number < count ? number : 0;
}

static enum status set_up(struct cuda_device *made, CUstream stream, struct error *error)
{
    CUcontext before = NULL;
    enum status status = cuda_check(cuda.CtxGetCurrent(&before), error, "asking for the current context");
    if (status != STATUS_OK)
        return status;
    const CUresult result = stream ? cuda.StreamGetCtx(stream, &made->context) : CUDA_SUCCESS;
    if (!stream)
        made->context = before;
    if (result != CUDA_SUCCESS)
        return fail(error, STATUS_INVALID, "not a stream of CUDA's");
    if (!made->context)
        return fail(error, STATUS_INVALID, "the stream is NULL, and the thread has no current CUDA context");
    made->base.native_queue = made->own = made->stream = stream;
    status = cuda_use(&made->base, error);
    if (status == STATUS_OK)
        status = cuda_check(cuda.CtxGetDevice(&made->handle), error, "asking for the context's device");
    made->base.index = number_of(made->handle);
    snprintf(made->base.id, sizeof made->base.id, "cuda:%d", made->base.index);
    if (status == STATUS_OK)
        status = cuda_read_properties(made, error);
    if (status != STATUS_OK)
        cuda.CtxSetCurrent(before);
    return status;
}

enum status cuda_adopt(void *stream, struct device **device, struct error *error)
{
    enum status status = cuda_driver_load(error);
    if (status == STATUS_OK && !(cuda.CtxGetCurrent && cuda.StreamGetCtx && cuda.CtxGetDevice))
        status = fail(error, STATUS_UNAVAILABLE, "NVIDIA's driver does not tell the context of a stream");
    if (status != STATUS_OK)
        return status;
    struct cuda_device *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "out of memory");
    made->base.backend = &backend_cuda;
    made->is_adopted = true;
    status = set_up(made, stream, error);
    if (status == STATUS_OK)
        *device = &made->base;
    else
        free(made);
    return status;
}

/* Only a stream of the caller's can be under capture. */
bool cuda_is_recording(const struct device *device)
{
    const struct cuda_device *asked = (const struct cuda_device *)device;
    int state = 0; /* CU_STREAM_CAPTURE_STATUS_NONE */
    return asked->is_adopted && cuda.StreamIsCapturing &&
           cuda.StreamIsCapturing(asked->stream, &state) == CUDA_SUCCESS && state != 0;
}

/* The driver does not tell how much memory is behind an address. */
enum status cuda_wrap(struct device *device, uintptr_t memory, size_t bytes, struct buffer *buffer, struct error *error)
{
    (void)error;
    *buffer = (struct buffer){.device = device, .bytes = bytes, .native = memory};
    return STATUS_OK;
}
