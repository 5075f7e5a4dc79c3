/* Marks: the END times of marker commands. Markers have no duration worth the name on some drivers, so START is never
 * looked at. */
#include <stdlib.h>

#include "backends/opencl/opencl.h"

struct opencl_event {
    struct event base;
    cl_event event;         /* NULL until recorded */
    cl_command_queue queue; /* in which it was recorded */
};

enum status opencl_event_create(struct device *device, struct event **mark, struct error *error)
{
    struct opencl_event *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a mark", device->id);
    made->base.device = device;
    *mark = &made->base;
    return STATUS_OK;
}

void opencl_event_destroy(struct event *mark)
{
    struct opencl_event *opencl = (struct opencl_event *)mark;
    if (opencl->event)
        cl.ReleaseEvent(opencl->event);
    free(opencl);
}

/* No flush here: the next launch must reach the device together with the event, or the host's launch time would lie
 * between them. */
enum status opencl_event_record(struct event *mark, struct error *error)
{
    struct opencl_event *opencl = (struct opencl_event *)mark;
    struct opencl_device *device = (struct opencl_device *)mark->device;
    if (opencl->event)
        cl.ReleaseEvent(opencl->event);
    opencl->event = NULL;
    opencl->queue = device->queue;
    cl_int code = cl.EnqueueMarkerWithWaitList(device->queue, 0, NULL, &opencl->event);
    code = opencl_made(opencl->event, code);
    return code == CL_SUCCESS ? STATUS_OK : opencl_fail(error, device->base.id, "recording a mark", code);
}

static cl_int end_time(const struct opencl_event *mark, cl_ulong *time)
{
    cl_int state = CL_COMPLETE;
    cl_int code = cl.GetEventInfo(mark->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code != CL_SUCCESS || state < 0)
        return code != CL_SUCCESS ? code : state;
    return cl.GetEventProfilingInfo(mark->event, CL_PROFILING_COMMAND_END, sizeof *time, time, NULL);
}

enum status opencl_event_elapsed(struct event *from, struct event *to, double *nanoseconds, struct error *error)
{
    const struct opencl_event *first = (struct opencl_event *)from, *last = (struct opencl_event *)to;
    const struct opencl_device *device = (struct opencl_device *)from->device;
    cl_event events[] = {first->event, last->event};
    cl_ulong begin = 0, end = 0;
    if (!first->event || !last->event)
        return fail(error, STATUS_INVALID, "%s: a mark that was never recorded has no time", device->base.id);
    cl_int code = cl.Flush(first->queue);
    if (code == CL_SUCCESS && last->queue != first->queue)
        code = cl.Flush(last->queue);
    if (code == CL_SUCCESS)
        code = cl.WaitForEvents(2, events);
    if (code == CL_SUCCESS)
        code = end_time(first, &begin);
    if (code == CL_SUCCESS)
        code = end_time(last, &end);
    if (code != CL_SUCCESS)
        return opencl_fail_late(error, device->base.id, "reading a mark", code);
    *nanoseconds = (double)(cl_long)(end - begin);
    return STATUS_OK;
}

/* The mark's own queue is flushed, or the one that waits might wait for ever. */
enum status opencl_queue_wait(struct event *mark, struct error *error)
{
    const struct opencl_event *opencl = (struct opencl_event *)mark;
    const struct opencl_device *device = (struct opencl_device *)mark->device;
    if (!opencl->event)
        return fail(error, STATUS_INVALID, "%s: nobody can wait for a mark that was never recorded", device->base.id);
    cl_int code = cl.Flush(opencl->queue);
    if (code == CL_SUCCESS)
        code = cl.EnqueueBarrierWithWaitList(device->queue, 1, &opencl->event, NULL);
    return code == CL_SUCCESS ? STATUS_OK : opencl_fail_late(error, device->base.id, "waiting for another queue", code);
}
