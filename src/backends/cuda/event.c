#include "backends/cuda/device.h"

#include <stdlib.h>

struct cuda_event {
    struct event base;
    CUevent event;
};

static CUevent event_of(const struct event *mark)
{
    return ((const struct cuda_event *)mark)->event;
}

static enum status create(struct device *device, unsigned flags, struct event **mark, struct error *error)
{
    enum status status = cuda_use(device, error);
    if (status != STATUS_OK)
        return status;
    struct cuda_event *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a mark", device->id);
    made->base.device = device;
    status = cuda_device_check(device, cuda.EventCreate(&made->event, flags), error, "making an event");
    if (status == STATUS_OK)
        *mark = &made->base;
    else
        free(made);
    return status;
}

enum status cuda_event_create(struct device *device, struct event **mark, struct error *error)
{
    return create(device, CU_EVENT_DEFAULT, mark, error);
}

enum status cuda_event_create_untimed(struct device *device, struct event **mark, struct error *error)
{
    return create(device, CU_EVENT_DISABLE_TIMING, mark, error);
}

void cuda_event_destroy(struct event *mark)
{
    if (cuda_use(mark->device, NULL) == STATUS_OK)
        cuda.EventDestroy(event_of(mark));
    free(mark);
}

enum status cuda_event_record(struct event *mark, struct error *error)
{
    enum status status = cuda_use(mark->device, error);
    if (status == STATUS_OK)
        status = cuda_device_check(mark->device, cuda.EventRecord(event_of(mark), cuda_device_of(mark->device)->stream),
                                   error, "recording an event");
    return status;
}

enum status cuda_event_elapsed(struct event *from, struct event *to, double *nanoseconds, struct error *error)
{
    float milliseconds = 0;
    enum status status = cuda_use(from->device, error);
    if (status != STATUS_OK)
        return status;
    CUresult result = cuda.EventSynchronize(event_of(from));
    if (result == CUDA_SUCCESS)
        result = cuda.EventSynchronize(event_of(to));
    if (result == CUDA_SUCCESS)
        result = cuda.EventElapsedTime(&milliseconds, event_of(from), event_of(to));
    *nanoseconds = (double)milliseconds * 1e6;
    return cuda_device_check(from->device, result, error, "reading the time between two events");
}

enum status cuda_peer_wait(struct device *device, struct event *mark, struct error *error)
{
    enum status status = cuda_use(device, error);
    if (status == STATUS_OK)
        status = cuda_device_check(device, cuda.StreamWaitEvent(cuda_device_of(device)->stream, event_of(mark), 0),
                                   error, "waiting for an event of another stream");
    return status;
}

enum status cuda_queue_wait(struct event *mark, struct error *error)
{
    return cuda_peer_wait(mark->device, mark, error);
}
