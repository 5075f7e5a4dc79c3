/* Further streams, and copies that are only enqueued. */
#include <stdlib.h>

#include "backends/cuda/device.h"

struct cuda_queue {
    struct queue base;
    CUstream stream;
};

/* A driver without priorities makes a stream like the others. */
static CUresult create_stream(CUstream *stream, bool urgent)
{
    int least, greatest;
    if (urgent && cuda.StreamCreateWithPriority && cuda.CtxGetStreamPriorityRange &&
        cuda.CtxGetStreamPriorityRange(&least, &greatest) == CUDA_SUCCESS)
        return cuda.StreamCreateWithPriority(stream, CU_STREAM_NON_BLOCKING, greatest);
    return cuda.StreamCreate(stream, CU_STREAM_NON_BLOCKING);
}

static enum status create_queue(struct device *device, bool urgent, struct queue **queue, struct error *error)
{
    enum status status = cuda_use(device, error);
    if (status != STATUS_OK)
        return status;
    struct cuda_queue *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a queue", device->id);
    made->base.device = device;
    status = cuda_device_check(device, create_stream(&made->stream, urgent), error, "making another stream");
    if (status == STATUS_OK)
        *queue = &made->base;
    else
        free(made);
    return status;
}

enum status cuda_queue_create(struct device *device, struct queue **queue, struct error *error)
{
    return create_queue(device, false, queue, error);
}

enum status cuda_queue_create_urgent(struct device *device, struct queue **queue, struct error *error)
{
    return create_queue(device, true, queue, error);
}

static void select_stream(struct device *device, CUstream stream)
{
    cuda_device_of(device)->stream = stream;
    device->native_queue = stream;
}

void cuda_queue_destroy(struct queue *queue)
{
    struct cuda_device *device = cuda_device_of(queue->device);
    struct cuda_queue *own = (struct cuda_queue *)queue;
    if (device->stream == own->stream)
        select_stream(queue->device, device->own);
    if (cuda_use(queue->device, NULL) == STATUS_OK)
        cuda.StreamDestroy(own->stream);
    free(own);
}

enum status cuda_queue_select(struct device *device, struct queue *queue, struct error *error)
{
    (void)error;
    select_stream(device, queue ? ((struct cuda_queue *)queue)->stream : cuda_device_of(device)->own);
    return STATUS_OK;
}

/* ---- copies --------------------------------------------------------------------------------------------------- */

static CUresult copy_rows(const struct buffer *buffer, const struct transfer *transfer, bool to_device)
{
    const struct cuda_copy_rows copy = {
        .from_kind = to_device ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
        .from_host = to_device ? transfer->host : NULL,
        .from = to_device ? 0 : buffer->native + transfer->offset,
        .from_pitch = to_device ? transfer->host_pitch : transfer->pitch,
        .to_kind = to_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST,
        .to_host = to_device ? NULL : transfer->host,
        .to = to_device ? buffer->native + transfer->offset : 0,
        .to_pitch = to_device ? transfer->pitch : transfer->host_pitch,
        .width_bytes = transfer->width,
        .height = transfer->rows,
    };
    return cuda.Memcpy2DAsync(&copy, cuda_device_of(buffer->device)->stream);
}

/* A driver without the copy of rectangles copies their rows. */
static CUresult copy(const struct buffer *buffer, const struct transfer *transfer, bool to_device)
{
    CUstream stream = cuda_device_of(buffer->device)->stream;
    CUresult result = CUDA_SUCCESS;
    if (transfer->rows > 1 && cuda.Memcpy2DAsync)
        return copy_rows(buffer, transfer, to_device);
    for (size_t row = 0; result == CUDA_SUCCESS && row < transfer->rows; row++) {
        CUdeviceptr there = buffer->native + transfer->offset + row * transfer->pitch;
        char *here = (char *)transfer->host + row * transfer->host_pitch;
        result = to_device ? cuda.MemcpyHtoDAsync(there, here, transfer->width, stream)
                           : cuda.MemcpyDtoHAsync(here, there, transfer->width, stream);
    }
    return result;
}

enum status cuda_send(const struct buffer *buffer, const struct transfer *transfer, struct error *error)
{
    enum status status = cuda_use(buffer->device, error);
    if (status != STATUS_OK)
        return status;
    return cuda_device_check(buffer->device, copy(buffer, transfer, true), error,
                             "enqueueing a copy of %zu x %zu bytes to the device", transfer->rows, transfer->width);
}

enum status cuda_receive(const struct buffer *buffer, const struct transfer *transfer, struct error *error)
{
    enum status status = cuda_use(buffer->device, error);
    if (status != STATUS_OK)
        return status;
    return cuda_device_check(buffer->device, copy(buffer, transfer, false), error,
                             "enqueueing a copy of %zu x %zu bytes from the device", transfer->rows, transfer->width);
}
