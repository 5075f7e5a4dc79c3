/* OpenCL's functions, opened when the program runs, and its error codes in words. */
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: the one that 1.2 platforms have too */
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "base/status.h"

#define OPENCL_FUNCTIONS(X)       \
    X(GetPlatformIDs)             \
    X(GetPlatformInfo)            \
    X(GetDeviceIDs)               \
    X(GetDeviceInfo)              \
    X(CreateContext)              \
    X(ReleaseContext)             \
    X(CreateCommandQueue)         \
    X(ReleaseCommandQueue)        \
    X(Flush)                      \
    X(Finish)                     \
    X(CreateBuffer)               \
    X(CreateSubBuffer)            \
    X(GetMemObjectInfo)           \
    X(ReleaseMemObject)           \
    X(EnqueueWriteBuffer)         \
    X(EnqueueReadBuffer)          \
    X(EnqueueWriteBufferRect)     \
    X(EnqueueReadBufferRect)      \
    X(EnqueueMapBuffer)           \
    X(EnqueueUnmapMemObject)      \
    X(EnqueueBarrierWithWaitList) \
    X(EnqueueCopyBuffer)          \
    X(EnqueueFillBuffer)          \
    X(CreateImage)                \
    X(EnqueueCopyBufferToImage)   \
    X(EnqueueMigrateMemObjects)   \
    X(CreateProgramWithSource)    \
    X(BuildProgram)               \
    X(GetProgramBuildInfo)        \
    X(GetProgramInfo)             \
    X(ReleaseProgram)             \
    X(CreateKernel)               \
    X(GetKernelInfo)              \
    X(GetKernelWorkGroupInfo)     \
    X(SetKernelArg)               \
    X(ReleaseKernel)              \
    X(EnqueueNDRangeKernel)       \
    X(EnqueueMarkerWithWaitList)  \
    X(WaitForEvents)              \
    X(GetEventInfo)               \
    X(GetEventProfilingInfo)      \
    X(ReleaseEvent)

/* Of later versions, or for queues of others alone; NULL where the loader does not know them. */
#define OPENCL_LATER_FUNCTIONS(X) \
    X(SVMAlloc)                   \
    X(SVMFree)                    \
    X(GetCommandQueueInfo)        \
    X(RetainContext)              \
    X(RetainCommandQueue)

struct opencl_functions {
#define X(name) __typeof__(cl##name) *(name);
    OPENCL_FUNCTIONS(X)
    OPENCL_LATER_FUNCTIONS(X)
#undef X
};

/* Filled by opencl_library_open: cl.Finish is clFinish. */
extern struct opencl_functions cl;

/* Opens the library once; later calls repeat the first one's answer. */
enum status opencl_library_open(struct error *error);

/* "CL_OUT_OF_RESOURCES"; "unknown code -9999" is written into a buffer of the calling thread. */
const char *opencl_error_name(cl_int code);

/* What a call that makes something returned: its code, or OPENCL_NOTHING where a driver says that it succeeded and made
 * nothing. */
#define OPENCL_NOTHING (-2000000000) /* no code of OpenCL's */
static inline cl_int opencl_made(const void *object, cl_int code)
{
    return code == CL_SUCCESS && !object ? OPENCL_NOTHING : code;
}

/* "opencl:0: writing a buffer: CL_OUT_OF_RESOURCES (what that means)", with the status that fits the code. */
enum status opencl_fail(struct error *error, const char *device_id, const char *doing, cl_int code);
/* The same behind a launch: CL_OUT_OF_RESOURCES is then no kernel too large for the device, but one that went wrong
 * (NVIDIA's answer to an access out of bounds), and no reason to leave a rung out. */
enum status opencl_fail_late(struct error *error, const char *device_id, const char *doing, cl_int code);
