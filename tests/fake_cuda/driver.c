#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"

struct fake_cuda fake_cuda = {.device_count = 1, .major = 9, .minor = 0};

const void *fake_cuda_field(const char *name)
{
    const struct {
        const char *name;
        const void *place;
    } fields[] = {{"allocations", &fake_cuda.allocations},
                  {"last_stream", &fake_cuda.last_stream},
                  {"launches", &fake_cuda.launches},
                  {"waits", &fake_cuda.waits}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].name, name) == 0)
            return fields[i].place;
    return NULL;
}

/* ---- start and devices ---- */

CUresult cuInit(unsigned flags)
{
    MAY_FAIL;
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDriverGetVersion(int *version)
{
    MAY_FAIL;
    *version = 12080;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult result, const char **name)
{
    *name = result == CUDA_ERROR_OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
            : result == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : result == CUDA_ERROR_NO_DEVICE       ? "CUDA_ERROR_NO_DEVICE"
                                                   : NULL;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult result, const char **text)
{
    *text = result == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "something else";
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    MAY_FAIL;
    *count = fake_cuda.device_count;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int index)
{
    MAY_FAIL;
    *device = 100 + index;
    return index < fake_cuda.device_count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    MAY_FAIL;
    const char *answer = fault_at("name");
    if (answer)
        memset(name, 'x', (size_t)size); /* no end */
    else
        snprintf(name, (size_t)size, "Fake %d", device);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    MAY_FAIL;
    (void)device;
    *bytes = (size_t)1 << 34;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    MAY_FAIL;
    (void)device;
    const char *answer = fault_at("attributes"); /* all of them: attributes-most, attributes-zero */
    if (answer) {
        *value = strcmp(answer, "most") == 0 ? INT32_MAX : strcmp(answer, "least") == 0 ? INT32_MIN : 0;
        return CUDA_SUCCESS;
    }
    switch ((int)attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = fake_cuda.major;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = fake_cuda.minor;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
        *value = 48 << 10;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = 227 << 10;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
        *value = INT32_MAX;
        break;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
        *value = 1980000;
        break;
    case CU_DEVICE_ATTRIBUTE_INTEGRATED:
        return CUDA_ERROR_INVALID_VALUE; /* a driver that does not know it */
    default:
        *value = 1000 + (int)attribute;
    }
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *address, int size, CUdevice device)
{
    MAY_FAIL;
    snprintf(address, (size_t)size, "FFFF:%02X:00.0", device);
    return CUDA_SUCCESS;
}

/* ---- contexts, streams, events ---- */

static CUcontext current;      /* of the test's one thread */
static char context_memory[8]; /* of devices 100, 101, … */
static char stream_memory[16]; /* a stream is one of these bytes, 1 while it is alive */
static int event_clock;        /* every event is a microsecond after the one before */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    MAY_FAIL;
    fake_cuda.contexts++;
    *context = (CUcontext)(void *)&context_memory[device % 100];
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    MAY_FAIL;
    (void)device;
    fake_cuda.contexts--;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    MAY_FAIL;
    current = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    MAY_FAIL;
    *context = current;
    return CUDA_SUCCESS;
}

/* Devices are 100, 101, … */
CUresult cuCtxGetDevice(CUdevice *device)
{
    MAY_FAIL;
    *device = 100 + (int)((char *)(void *)current - context_memory);
    return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Every device of the fake reaches every other, unless the test says otherwise. */
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    MAY_FAIL;
    *can = device != peer && !fake_cuda.separated;
    return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    MAY_FAIL;
    fake_cuda.peers++;
    return peer && flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

#define LEGACY \
    ((CUstream)(uintptr_t)1) /* CU_STREAM_LEGACY: the default stream by its name, which the backend never uses */

static bool is_alive(CUstream stream)
{
    char *place = (char *)(void *)stream;
    return stream == LEGACY || (place >= stream_memory && place < stream_memory + sizeof stream_memory && *place);
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    MAY_FAIL;
    *context = (CUcontext)(void *)&context_memory[0];
    return is_alive(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamIsCapturing(CUstream stream, int *status)
{
    MAY_FAIL;
    *status = fake_cuda.capturing;
    return is_alive(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    MAY_FAIL;
    char *place = memchr(stream_memory, 0, sizeof stream_memory);
    if (!place || !current || flags != CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    *place = 1;
    fake_cuda.streams++;
    fake_cuda.priority = 0;
    *stream = (CUstream)(void *)place;
    return CUDA_SUCCESS;
}

#define GREATEST_PRIORITY (-5)

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    MAY_FAIL;
    *least = 0;
    *greatest = GREATEST_PRIORITY;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    MAY_FAIL;
    CUresult result = cuStreamCreate(stream, flags);
    fake_cuda.priority = priority;
    return result;
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
    MAY_FAIL;
    if (!is_alive(stream) || stream == LEGACY)
        return CUDA_ERROR_INVALID_VALUE;
    *(char *)(void *)stream = 0;
    fake_cuda.streams--;
    return CUDA_SUCCESS;
}

/* With FAKE_CUDA_PROFILE=FILE the end writes there how many launches there were in the range, and in all. */
CUresult cuProfilerStart(void)
{
    MAY_FAIL;
    fake_cuda.profiling = 1;
    fake_cuda.profiled = 0;
    return CUDA_SUCCESS;
}

CUresult cuProfilerStop(void)
{
    MAY_FAIL;
    const char *path = getenv("FAKE_CUDA_PROFILE");
    FILE *file = path ? fopen(path, "a") : NULL;
    fake_cuda.profiling = 0;
    if (file) {
        fprintf(file, "%s: %d of %d\n", fake_cuda.function, fake_cuda.profiled, fake_cuda.launches);
        fclose(file);
    }
    return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    MAY_FAIL;
    fake_cuda.last_stream = stream;
    return is_alive(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Everything is done at once here; the event must have been recorded all the same. */
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    MAY_FAIL;
    fake_cuda.last_stream = stream;
    fake_cuda.waits++;
    return is_alive(stream) && *(int *)(void *)event && flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    MAY_FAIL;
    int *made = calloc(1, sizeof *made);
    *event = (CUevent)(void *)made;
    fake_cuda.events++;
    return flags == CU_EVENT_DEFAULT || flags == CU_EVENT_DISABLE_TIMING ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuEventDestroy_v2(CUevent event)
{
    MAY_FAIL;
    fake_cuda.events--;
    free((void *)event);
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    MAY_FAIL;
    *(int *)(void *)event = ++event_clock;
    fake_cuda.last_stream = stream;
    return is_alive(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuEventSynchronize(CUevent event)
{
    MAY_FAIL;
    return *(int *)(void *)event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to)
{
    MAY_FAIL;
    const char *answer = fault_at("time");
    *milliseconds = answer ? strtof(answer, NULL) : (float)(*(int *)(void *)to - *(int *)(void *)from) * 1e-3f;
    return CUDA_SUCCESS;
}
