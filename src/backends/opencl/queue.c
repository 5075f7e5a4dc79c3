/* Further queues, and copies that are only enqueued. */
#include <stdlib.h>

#include "backends/opencl/opencl.h"
#include "backends/opencl/pocl_turns.h"

struct opencl_queue {
    struct queue base;
    cl_command_queue queue;
};

enum status opencl_queue_create(struct device *device, struct queue **queue, struct error *error)
{
    const struct opencl_device *opencl = (struct opencl_device *)device;
    struct opencl_queue *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a queue", device->id);
    cl_int code = CL_SUCCESS;
    made->base.device = device;
    made->queue = cl.CreateCommandQueue(opencl->context, opencl->id, CL_QUEUE_PROFILING_ENABLE, &code);
    code = opencl_made(made->queue, code);
    if (code != CL_SUCCESS) {
        free(made);
        return opencl_fail(error, device->id, "making another queue", code);
    }
    *queue = &made->base;
    return STATUS_OK;
}

/* Commands in the queue start before another queue is selected. */
static cl_int select_queue(struct opencl_device *device, cl_command_queue queue)
{
    cl_int code = device->queue == queue ? CL_SUCCESS : cl.Flush(device->queue);
    device->base.native_queue = device->queue = queue;
    return code;
}

void opencl_queue_destroy(struct queue *queue)
{
    struct opencl_device *device = (struct opencl_device *)queue->device;
    struct opencl_queue *own = (struct opencl_queue *)queue;
    if (device->queue == own->queue)
        select_queue(device, device->own);
    cl.Finish(own->queue);
    pocl_turns_forget(own->queue);
    cl.ReleaseCommandQueue(own->queue);
    free(own);
}

enum status opencl_queue_select(struct device *device, struct queue *queue, struct error *error)
{
    struct opencl_device *opencl = (struct opencl_device *)device;
    cl_int code = select_queue(opencl, queue ? ((struct opencl_queue *)queue)->queue : opencl->own);
    return code == CL_SUCCESS ? STATUS_OK : opencl_fail_late(error, device->id, "flushing a queue", code);
}

/* ---- copies --------------------------------------------------------------------------------------------------- */

/* A rectangle's origin is a column, a row and a plane: with one row per pitch the buffer's offset is both. A pitch of
 * no multiple that fits is no matter to OpenCL, which adds them up. */
static cl_int copy_rows(const struct buffer *buffer, const struct transfer *transfer, bool to_device)
{
    cl_command_queue queue = opencl_device_of(buffer)->queue;
    const size_t origin[3] = {transfer->offset % transfer->pitch, transfer->offset / transfer->pitch, 0};
    const size_t here[3] = {0, 0, 0}, region[3] = {transfer->width, transfer->rows, 1};
    if (to_device)
        return cl.EnqueueWriteBufferRect(queue, opencl_memory_of(buffer), CL_FALSE, origin, here, region,
                                         transfer->pitch, 0, transfer->host_pitch, 0, transfer->host, 0, NULL, NULL);
    return cl.EnqueueReadBufferRect(queue, opencl_memory_of(buffer), CL_FALSE, origin, here, region, transfer->pitch, 0,
                                    transfer->host_pitch, 0, transfer->host, 0, NULL, NULL);
}

static cl_int copy(const struct buffer *buffer, const struct transfer *transfer, bool to_device)
{
    cl_command_queue queue = opencl_device_of(buffer)->queue;
    if (transfer->rows > 1)
        return copy_rows(buffer, transfer, to_device);
    return to_device ? cl.EnqueueWriteBuffer(queue, opencl_memory_of(buffer), CL_FALSE, transfer->offset,
                                             transfer->width, transfer->host, 0, NULL, NULL)
                     : cl.EnqueueReadBuffer(queue, opencl_memory_of(buffer), CL_FALSE, transfer->offset,
                                            transfer->width, transfer->host, 0, NULL, NULL);
}

enum status opencl_send(const struct buffer *buffer, const struct transfer *transfer, struct error *error)
{
    cl_int code = copy(buffer, transfer, true);
    return code == CL_SUCCESS ? STATUS_OK : opencl_fail_late(error, buffer->device->id, "sending to a buffer", code);
}

enum status opencl_receive(const struct buffer *buffer, const struct transfer *transfer, struct error *error)
{
    cl_int code = copy(buffer, transfer, false);
    return code == CL_SUCCESS ? STATUS_OK
                              : opencl_fail_late(error, buffer->device->id, "receiving from a buffer", code);
}
