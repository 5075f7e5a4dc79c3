/* A queue and memory of the caller's own. */
#include "backends/adopt.h"

#include <stdio.h>
#include <stdlib.h>

#include "backends/all.h"
#include "backends/opencl/opencl.h"

static cl_int ask_queue(cl_command_queue queue, struct opencl_device *device, cl_command_queue_properties *properties)
{
    cl_int code = cl.GetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &device->context, NULL);
    if (code == CL_SUCCESS)
        code = cl.GetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), &device->id, NULL);
    if (code == CL_SUCCESS)
        code = cl.GetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof *properties, properties, NULL);
    return code;
}

/* Its number among all devices, by which programs are kept; -1 for one that is not listed. */
static int index_of(cl_device_id id, struct error *error)
{
    struct opencl_place *places;
    int count, index = -1;
    if (opencl_find_devices(&places, &count, error) != STATUS_OK)
        return -1;
    for (int i = 0; i < count; i++)
        if (places[i].device == id)
            index = i;
    free(places);
    return index;
}

static enum status set_up(struct opencl_device *made, cl_command_queue queue, struct error *error)
{
    cl_command_queue_properties properties = 0;
    struct opencl_place place;
    const cl_int code = ask_queue(queue, made, &properties);
    if (code != CL_SUCCESS)
        return fail(error, STATUS_INVALID, "not a queue of OpenCL's: %s", opencl_error_name(code));
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        return fail(error, STATUS_INVALID, "the OpenCL queue is out of order; one in order is needed");
    made->base.index = index_of(made->id, error);
    if (made->base.index < 0)
        return fail(error, STATUS_UNAVAILABLE, "the OpenCL queue's device is not among the platforms' devices");
    snprintf(made->base.id, sizeof made->base.id, "opencl:%d", made->base.index);
    place.device = made->id;
    cl.GetDeviceInfo(made->id, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &place.platform, NULL);
    opencl_describe(&place, &made->base.properties);
    cl.RetainContext(made->context);
    cl.RetainCommandQueue(queue);
    made->base.native_queue = made->own = made->queue = queue;
    return STATUS_OK;
}

enum status opencl_adopt(void *queue, struct device **device, struct error *error)
{
    enum status status = opencl_library_open(error);
    if (status == STATUS_OK && !queue)
        status = fail(error, STATUS_INVALID, "the OpenCL queue is NULL");
    if (status == STATUS_OK && !(cl.GetCommandQueueInfo && cl.RetainContext && cl.RetainCommandQueue))
        status = fail(error, STATUS_UNAVAILABLE, "the OpenCL library does not tell what a queue is of");
    if (status != STATUS_OK)
        return status;
    struct opencl_device *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "out of memory");
    made->base.backend = &backend_opencl;
    made->is_adopted = true;
    status = set_up(made, queue, error);
    if (status == STATUS_OK)
        *device = &made->base;
    else
        free(made);
    return status;
}

enum status opencl_wrap(struct device *device, uintptr_t memory, size_t bytes, struct buffer *buffer,
                        struct error *error)
{
    cl_context context = NULL;
    size_t size = 0;
    cl_int code = cl.GetMemObjectInfo((cl_mem)memory, CL_MEM_CONTEXT, sizeof(cl_context), &context, NULL);
    if (code == CL_SUCCESS)
        code = cl.GetMemObjectInfo((cl_mem)memory, CL_MEM_SIZE, sizeof size, &size, NULL);
    if (code != CL_SUCCESS)
        return fail(error, STATUS_INVALID, "not a memory object of OpenCL's: %s", opencl_error_name(code));
    if (context != ((struct opencl_device *)device)->context)
        return fail(error, STATUS_INVALID, "the memory object belongs to another context than the queue");
    if (size < bytes)
        return fail(error, STATUS_INVALID, "the memory object has %zu bytes; %zu are needed", size, bytes);
    *buffer = (struct buffer){.device = device, .bytes = bytes, .native = memory};
    return STATUS_OK;
}
