/* OpenCL's error codes: their names, what they mean to a user, and our status for them. */
#include <stdio.h>

#include "backends/opencl/library.h"
#include "base/size.h"

struct error_row {
    cl_int code;
    const char *name;
    enum status status;
    const char *meaning; /* NULL where the name says it */
};

#define ROW(code, status, meaning)            \
    {                                         \
        code, #code, STATUS_##status, meaning \
    }

static const struct error_row rows[] = {
    ROW(CL_DEVICE_NOT_FOUND, UNAVAILABLE, NULL),
    ROW(CL_DEVICE_NOT_AVAILABLE, UNAVAILABLE, "the device is busy or switched off"),
    ROW(CL_COMPILER_NOT_AVAILABLE, UNAVAILABLE, "the driver cannot compile"),
    ROW(CL_MEM_OBJECT_ALLOCATION_FAILURE, UNAVAILABLE, "the device's memory is full"),
    ROW(CL_OUT_OF_RESOURCES, UNAVAILABLE,
        "too many registers or too much local memory, or a kernel went out of bounds"),
    ROW(CL_OUT_OF_HOST_MEMORY, UNAVAILABLE, "the host's memory is full"),
    ROW(CL_PROFILING_INFO_NOT_AVAILABLE, UNAVAILABLE, "the driver keeps no time for this command"),
    ROW(CL_MEM_COPY_OVERLAP, INVALID, "source and target overlap"),
    ROW(CL_IMAGE_FORMAT_MISMATCH, INVALID, NULL),
    ROW(CL_IMAGE_FORMAT_NOT_SUPPORTED, UNAVAILABLE, NULL),
    ROW(CL_BUILD_PROGRAM_FAILURE, INVALID, NULL),
    ROW(CL_MAP_FAILURE, SYSTEM, NULL),
    ROW(CL_MISALIGNED_SUB_BUFFER_OFFSET, INVALID, NULL),
    ROW(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, SYSTEM, "an earlier command failed"),
    ROW(CL_COMPILE_PROGRAM_FAILURE, INVALID, NULL),
    ROW(CL_LINKER_NOT_AVAILABLE, UNAVAILABLE, NULL),
    ROW(CL_LINK_PROGRAM_FAILURE, INVALID, NULL),
    ROW(CL_DEVICE_PARTITION_FAILED, SYSTEM, NULL),
    ROW(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, UNAVAILABLE, NULL),
    ROW(CL_INVALID_VALUE, INVALID, NULL),
    ROW(CL_INVALID_DEVICE_TYPE, INVALID, NULL),
    ROW(CL_INVALID_PLATFORM, INVALID, NULL),
    ROW(CL_INVALID_DEVICE, INVALID, NULL),
    ROW(CL_INVALID_CONTEXT, INVALID, NULL),
    ROW(CL_INVALID_QUEUE_PROPERTIES, UNAVAILABLE, "the device's queues cannot keep times"),
    ROW(CL_INVALID_COMMAND_QUEUE, SYSTEM, "an earlier kernel may have broken the queue"),
    ROW(CL_INVALID_HOST_PTR, INVALID, NULL),
    ROW(CL_INVALID_MEM_OBJECT, INVALID, NULL),
    ROW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, INVALID, NULL),
    ROW(CL_INVALID_IMAGE_SIZE, INVALID, NULL),
    ROW(CL_INVALID_SAMPLER, INVALID, NULL),
    ROW(CL_INVALID_BINARY, INVALID, NULL),
    ROW(CL_INVALID_BUILD_OPTIONS, INVALID, NULL),
    ROW(CL_INVALID_PROGRAM, INVALID, NULL),
    ROW(CL_INVALID_PROGRAM_EXECUTABLE, INVALID, NULL),
    ROW(CL_INVALID_KERNEL_NAME, INVALID, "the program has no kernel of that name"),
    ROW(CL_INVALID_KERNEL_DEFINITION, INVALID, NULL),
    ROW(CL_INVALID_KERNEL, INVALID, NULL),
    ROW(CL_INVALID_ARG_INDEX, INVALID, "the kernel has fewer arguments"),
    ROW(CL_INVALID_ARG_VALUE, INVALID, NULL),
    ROW(CL_INVALID_ARG_SIZE, INVALID, "the kernel's argument is of another type"),
    ROW(CL_INVALID_KERNEL_ARGS, INVALID, "an argument is missing or of another type"),
    ROW(CL_INVALID_WORK_DIMENSION, INVALID, NULL),
    ROW(CL_INVALID_WORK_GROUP_SIZE, UNAVAILABLE,
        "the kernel was compiled for another group, or the group is too large"),
    ROW(CL_INVALID_WORK_ITEM_SIZE, UNAVAILABLE, "the group is too large along one dimension"),
    ROW(CL_INVALID_GLOBAL_OFFSET, INVALID, NULL),
    ROW(CL_INVALID_EVENT_WAIT_LIST, INVALID, NULL),
    ROW(CL_INVALID_EVENT, INVALID, NULL),
    ROW(CL_INVALID_OPERATION, INVALID, NULL),
    ROW(CL_INVALID_GL_OBJECT, INVALID, NULL),
    ROW(CL_INVALID_BUFFER_SIZE, UNAVAILABLE, "more than one buffer may have"),
    ROW(CL_INVALID_MIP_LEVEL, INVALID, NULL),
    ROW(CL_INVALID_GLOBAL_WORK_SIZE, UNAVAILABLE, "more items than the device can count"),
    ROW(CL_INVALID_PROPERTY, INVALID, NULL),
    ROW(CL_INVALID_IMAGE_DESCRIPTOR, INVALID, NULL),
    ROW(CL_INVALID_COMPILER_OPTIONS, INVALID, NULL),
    ROW(CL_INVALID_LINKER_OPTIONS, INVALID, NULL),
    ROW(CL_INVALID_DEVICE_PARTITION_COUNT, INVALID, NULL),
    ROW(CL_INVALID_PIPE_SIZE, INVALID, NULL),
    ROW(CL_INVALID_DEVICE_QUEUE, INVALID, NULL),
    ROW(CL_INVALID_SPEC_ID, INVALID, NULL),
    ROW(CL_MAX_SIZE_RESTRICTION_EXCEEDED, INVALID, NULL),
    ROW(CL_PLATFORM_NOT_FOUND_KHR, UNAVAILABLE, NULL),
    {OPENCL_NOTHING, "no error and no result", STATUS_SYSTEM, "the driver is at fault"},
    /* NVIDIA's own, in no header. */
    {-9999, "NVIDIA's code -9999", STATUS_SYSTEM, "a kernel read or wrote where there is no memory"},
};

static const struct error_row *find(cl_int code)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].code == code)
            return &rows[i];
    return NULL;
}

const char *opencl_error_name(cl_int code)
{
    static _Thread_local char unknown[32];
    const struct error_row *row = find(code);
    if (row)
        return row->name;
    snprintf(unknown, sizeof unknown, "unknown code %d", code);
    return unknown;
}

enum status opencl_fail_late(struct error *error, const char *device_id, const char *doing, cl_int code)
{
    enum status status = opencl_fail(error, device_id, doing, code);
    return code == CL_OUT_OF_RESOURCES ? STATUS_SYSTEM : status;
}

enum status opencl_fail(struct error *error, const char *device_id, const char *doing, cl_int code)
{
    const struct error_row *row = find(code);
    if (!row || !row->meaning)
        return fail(error, row ? row->status : STATUS_SYSTEM, "%s: %s: %s", device_id, doing, opencl_error_name(code));
    return fail(error, row->status, "%s: %s: %s (%s)", device_id, doing, row->name, row->meaning);
}
