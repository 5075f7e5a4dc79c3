/* OpenCL's devices: opening, closing, waiting, and the backend's table. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/all.h"
#include "backends/opencl/opencl.h"
#include "backends/opencl/pocl_turns.h"

static enum status opencl_probe(int *count, struct error *error)
{
    struct opencl_place *places;
    enum status status = opencl_find_devices(&places, count, error);
    free(places);
    return status;
}

static void opencl_close(struct device *device)
{
    struct opencl_device *opencl = (struct opencl_device *)device;
    program_discard(opencl->copying);
    program_release_idle(device);
    if (opencl->own) {
        if (opencl->is_adopted) {
            pocl_turns_leave(opencl->own);
        } else {
            cl.Finish(opencl->own);
            pocl_turns_forget(opencl->own);
        }
        cl.ReleaseCommandQueue(opencl->own);
    }
    if (opencl->context)
        cl.ReleaseContext(opencl->context);
    free(opencl);
}

/* Older versions lack functions that this backend calls. */
static enum status check_version(const struct device *device, struct error *error)
{
    int major = 0, minor = 0;
    if (sscanf(device->properties.version, "OpenCL %d.%d", &major, &minor) == 2 && major * 10 + minor >= 12)
        return STATUS_OK;
    if (!device->properties.version[0])
        return fail(error, STATUS_UNAVAILABLE, "%s: its driver does not tell its version", device->id);
    return fail(error, STATUS_UNAVAILABLE, "%s (%s) has %s; 1.2 or newer is needed", device->id,
                device->properties.name, device->properties.version);
}

static enum status set_up(struct opencl_device *opencl, const struct opencl_place *place, struct error *error)
{
    struct device *device = &opencl->base;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)place->platform, 0};
    opencl_describe(place, &device->properties);
    enum status status = check_version(device, error);
    if (status != STATUS_OK)
        return status;
    cl_int code = CL_SUCCESS;
    opencl->id = place->device;
    opencl->context = cl.CreateContext(properties, 1, &opencl->id, NULL, NULL, &code);
    code = opencl_made(opencl->context, code);
    if (code != CL_SUCCESS)
        return opencl_fail(error, device->id, "making a context", code);
    opencl->own = cl.CreateCommandQueue(opencl->context, opencl->id, CL_QUEUE_PROFILING_ENABLE, &code);
    code = opencl_made(opencl->own, code);
    if (code != CL_SUCCESS)
        return opencl_fail(error, device->id, "making a queue", code);
    device->native_queue = opencl->queue = opencl->own;
    return STATUS_OK;
}

static enum status opencl_open(int index, struct device **device, struct error *error)
{
    struct opencl_place *places;
    int count;
    enum status status = opencl_find_devices(&places, &count, error);
    if (status != STATUS_OK)
        return status;
    struct opencl_device *made = index < count ? calloc(1, sizeof *made) : NULL;
    if (!made) {
        free(places);
        return fail(error, STATUS_UNAVAILABLE, "opencl:%d: the device went away, or memory is out", index);
    }
    made->base.backend = &backend_opencl;
    made->base.index = index;
    snprintf(made->base.id, sizeof made->base.id, "opencl:%d", index);
    status = set_up(made, &places[index], error);
    free(places);
    if (status != STATUS_OK)
        opencl_close(&made->base);
    else
        *device = &made->base;
    return status;
}

static enum status opencl_synchronize(struct device *device, struct error *error)
{
    cl_int code = cl.Finish(((struct opencl_device *)device)->queue);
    return code == CL_SUCCESS ? STATUS_OK : opencl_fail_late(error, device->id, "waiting for the device", code);
}

const struct backend backend_opencl = {
    .name = "opencl",
    .kind = BACKEND_OPENCL,
    .probe = opencl_probe,
    .describe_missing = opencl_describe_missing,
    .open = opencl_open,
    .close = opencl_close,
    .allocate = opencl_allocate,
    .view = opencl_view,
    .release = opencl_release,
    .write = opencl_write,
    .read = opencl_read,
    .copy = opencl_copy,
    .fill = opencl_fill,
    .pin = opencl_pin,
    .unpin = opencl_unpin,
    .share = opencl_share,
    .map = opencl_map,
    .unmap = opencl_unmap,
    .queue_create = opencl_queue_create,
    .queue_destroy = opencl_queue_destroy,
    .queue_select = opencl_queue_select,
    .queue_wait = opencl_queue_wait,
    .send = opencl_send,
    .receive = opencl_receive,
    .texture_create = opencl_texture_create,
    .texture_destroy = opencl_texture_destroy,
    .texture_load = opencl_texture_load,
    .build = opencl_build,
    .discard = opencl_discard,
    .keeps_programs = true,
    .launch = opencl_launch,
    .event_create = opencl_event_create,
    .event_destroy = opencl_event_destroy,
    .event_record = opencl_event_record,
    .event_elapsed = opencl_event_elapsed,
    .synchronize = opencl_synchronize,
};
