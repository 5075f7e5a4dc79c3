#include "backends/cuda/driver.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/dynamic_library.h"
#include "base/size.h"
#include "base/translation.h"

struct cuda_driver cuda;

#define FUNCTION(name, version, optional, parameters) \
    {"cu" #name #version, offsetof(struct cuda_driver, name), optional},
static const struct dynamic_symbol symbols[] = {CUDA_DRIVER_FUNCTIONS(FUNCTION)};
#undef FUNCTION

#define ADVICE N_("install NVIDIA's driver (Debian: nvidia-driver, libcuda1) and look whether nvidia-smi sees the GPU")

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *library_handle; /* stays open: the driver is not made to be unloaded */
static bool is_started;

static enum status load(struct error *error)
{
    const char *own = getenv("USKOR_LIBCUDA");
    const char *const names[] = {own && *own ? own : "libcuda.so.1", NULL};
    const struct dynamic_library library = {.title = N_("NVIDIA's driver"), .names = names, .advice = ADVICE};
    if (!library_handle) {
        enum status status = dynamic_library_open(&library, symbols, COUNT_OF(symbols), &cuda, &library_handle, error);
        if (status != STATUS_OK)
            return status;
    }
    if (cuda_check(cuda.Init(0), error, "starting CUDA") == STATUS_OK)
        return STATUS_OK;
    return fail_in(error, STATUS_UNAVAILABLE, "no NVIDIA GPU can be used here (%s)", ADVICE);
}

enum status cuda_driver_load(struct error *error)
{
    pthread_mutex_lock(&lock);
    enum status status = is_started ? STATUS_OK : load(error);
    is_started = status == STATUS_OK;
    pthread_mutex_unlock(&lock);
    return status;
}

int cuda_driver_version(void)
{
    int version = 0;
    return cuda.DriverGetVersion(&version) == CUDA_SUCCESS ? version : 0;
}

/* The user's message for each result; results that are missing here are internal errors between driver and system. */
struct meaning {
    CUresult result;
    enum status status;
    bool is_crash;
    const char *hint;
};

static const struct meaning meanings[] = {
    {CUDA_ERROR_INVALID_VALUE, STATUS_INVALID, false, NULL},
    {CUDA_ERROR_OUT_OF_MEMORY, STATUS_UNAVAILABLE, false, NULL},
    {CUDA_ERROR_STUB_LIBRARY, STATUS_UNAVAILABLE, false, "this libcuda is the toolkit's stand-in for linking"},
    {CUDA_ERROR_NO_DEVICE, STATUS_UNAVAILABLE, false, NULL},
    {CUDA_ERROR_INVALID_IMAGE, STATUS_UNAVAILABLE, false, "NVRTC may be newer than the driver"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, STATUS_UNAVAILABLE, false, NULL},
    {CUDA_ERROR_INVALID_PTX, STATUS_UNAVAILABLE, false, NULL},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, STATUS_UNAVAILABLE, false, "NVRTC is newer than the driver"},
    {CUDA_ERROR_NOT_FOUND, STATUS_INVALID, false, NULL},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, STATUS_UNAVAILABLE, false, NULL},
    {CUDA_ERROR_ILLEGAL_ADDRESS, STATUS_FAILED, true, "compute-sanitizer shows the access"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, STATUS_FAILED, true, "the system's watchdog ended the kernel"},
    {CUDA_ERROR_ASSERT, STATUS_FAILED, true, NULL},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, STATUS_FAILED, true, NULL},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, STATUS_FAILED, true, NULL},
    {CUDA_ERROR_MISALIGNED_ADDRESS, STATUS_FAILED, true, "a wide access must start at a multiple of its width"},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, STATUS_FAILED, true, NULL},
    {CUDA_ERROR_INVALID_PC, STATUS_FAILED, true, NULL},
    {CUDA_ERROR_LAUNCH_FAILED, STATUS_FAILED, true, "compute-sanitizer shows where"},
};

static const struct meaning *meaning_of(CUresult result)
{
    static const struct meaning other = {.status = STATUS_SYSTEM};
    for (size_t i = 0; i < COUNT_OF(meanings); i++)
        if (meanings[i].result == result)
            return &meanings[i];
    return &other;
}

enum status cuda_check(CUresult result, struct error *error, const char *doing, ...)
{
    if (result == CUDA_SUCCESS)
        return STATUS_OK;
    static atomic_bool has_crashed;
    const struct meaning *meaning = meaning_of(result);
    char what[400];
    va_list arguments;
    va_start(arguments, doing);
    vsnprintf(what, sizeof what, doing, arguments);
    va_end(arguments);
    if (meaning->is_crash && atomic_exchange(&has_crashed, true))
        return fail(error, STATUS_UNAVAILABLE,
                    "%s: a kernel has crashed before, and CUDA does nothing more in this process", what);
    const char *name = NULL, *text = NULL;
    if (cuda.GetErrorName(result, &name) != CUDA_SUCCESS || !name)
        name = "a result the driver has no name for";
    if (cuda.GetErrorString(result, &text) != CUDA_SUCCESS || !text)
        text = "no further words";
    return fail(error, meaning->status, "%s: %s (%d): %s%s%s", what, name, (int)result, text, meaning->hint ? "; " : "",
                meaning->hint ? meaning->hint : "");
}
