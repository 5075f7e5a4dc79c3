/* The range that NVIDIA's profilers look at: the driver's cuProfilerStart and cuProfilerStop, and a range of NVTX with
 * a name where libnvToolsExt is installed. Declared here after its reference; opened when the program runs. */
#include <stddef.h>

#include "backends/cuda/device.h"
#include "base/dynamic_library.h"
#include "base/size.h"

struct nvtx_functions {
    int (*push)(const char *name);
    int (*pop)(void);
};

static bool load(struct nvtx_functions *nvtx)
{
    static const struct dynamic_symbol symbols[] = {
        {"nvtxRangePushA", offsetof(struct nvtx_functions, push), 0},
        {"nvtxRangePop", offsetof(struct nvtx_functions, pop), 0},
    };
    static const char *const names[] = {"libnvToolsExt.so.1", NULL};
    static const struct dynamic_library library = {.title = "NVTX", .names = names, .advice = ""};
    void *handle = NULL; /* stays open: a profiler has hooks in it */
    return dynamic_library_open(&library, symbols, COUNT_OF(symbols), nvtx, &handle, NULL) == STATUS_OK;
}

enum status cuda_profile(struct device *device, const char *name, struct error *error)
{
    struct nvtx_functions nvtx;
    const bool has_nvtx = load(&nvtx);
    (void)device;
    if (!cuda.ProfilerStart || !cuda.ProfilerStop)
        return fail(error, STATUS_UNAVAILABLE, "this driver has no cuProfilerStart");
    if (!name) {
        if (has_nvtx)
            nvtx.pop();
        return cuda_check(cuda.ProfilerStop(), error, "ending the profiler's range");
    }
    enum status status = cuda_check(cuda.ProfilerStart(), error, "beginning the profiler's range");
    if (status == STATUS_OK && has_nvtx)
        nvtx.push(name);
    return status;
}
