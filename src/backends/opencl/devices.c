/* Finding OpenCL's devices, and what each says of itself. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opencl/causes.h"
#include "backends/opencl/opencl.h"
#include "base/text.h"

/* ---- finding ---- */

static enum status fail_no_driver(struct error *error)
{
    char why[600];
    describe_registrations(why, sizeof why);
    return fail(error, STATUS_UNAVAILABLE,
                "OpenCL is here, but no driver is registered with it (%s): install your GPU's driver, or "
                "pocl-opencl-icd to run on the processor",
                why);
}

static enum status find_platforms(cl_platform_id **platforms, cl_uint *count, struct error *error)
{
    *platforms = NULL;
    *count = 0;
    enum status status = opencl_library_open(error);
    if (status != STATUS_OK)
        return status;
    cl_int code = cl.GetPlatformIDs(0, NULL, count);
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && *count == 0))
        return fail_no_driver(error);
    if (code != CL_SUCCESS)
        return opencl_fail(error, "opencl", "asking for platforms", code);
    *platforms = calloc(*count, sizeof **platforms); // NOLINT(bugprone-sizeof-expression): a platform is a pointer
    if (!*platforms)
        return fail(error, STATUS_UNAVAILABLE, "opencl: no memory for a list of platforms");
    code = cl.GetPlatformIDs(*count, *platforms, NULL);
    if (code == CL_SUCCESS)
        return STATUS_OK;
    free(*platforms);
    *platforms = NULL;
    return opencl_fail(error, "opencl", "asking for platforms", code);
}

/* Appends one platform's devices; a platform without any is no error. False when memory is out. */
static bool append_devices(cl_platform_id platform, struct opencl_place **places, int *count)
{
    cl_uint more = 0;
    if (cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &more) != CL_SUCCESS || more == 0)
        return true;
    cl_device_id *devices = calloc(more, sizeof(cl_device_id));
    struct opencl_place *grown = realloc(*places, ((size_t)*count + more) * sizeof **places);
    if (grown)
        *places = grown;
    bool fits = devices && grown;
    if (fits && cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, more, devices, NULL) == CL_SUCCESS)
        for (cl_uint i = 0; i < more; i++)
            (*places)[(*count)++] = (struct opencl_place){platform, devices[i]};
    free(devices);
    return fits;
}

static enum status fail_no_device(const cl_platform_id *platforms, cl_uint count, struct error *error)
{
    char names[256] = "";
    for (cl_uint i = 0; i < count; i++) {
        char name[128] = "?";
        cl.GetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        text_append(names, sizeof names, "%s%s", i ? ", " : "", name);
    }
    char why[PATH_MAX];
    if (strstr(names, POCL_NAME) && pocl_cache_is_shut(why, sizeof why))
        return fail(error, STATUS_UNAVAILABLE,
                    "PoCL has no device, as it %.700s; name a folder that it can write in POCL_CACHE_DIR", why);
    return fail(error, STATUS_UNAVAILABLE,
                "OpenCL's drivers (%s) find no device: check that the GPU is there and that you may use it "
                "(/dev/dri, /dev/nvidia*), or install pocl-opencl-icd to run on the processor",
                names);
}

enum status opencl_find_devices(struct opencl_place **places, int *count, struct error *error)
{
    cl_platform_id *platforms;
    cl_uint platform_count;
    *places = NULL;
    *count = 0;
    enum status status = find_platforms(&platforms, &platform_count, error);
    if (status != STATUS_OK || !platforms)
        return status;
    bool fits = true;
    for (cl_uint i = 0; fits && i < platform_count; i++)
        fits = append_devices(platforms[i], places, count); // NOLINT(*-core.NullDereference): opencl_fail never says OK
    if (!fits)
        status = fail(error, STATUS_UNAVAILABLE, "opencl: no memory for a list of devices");
    else if (*count == 0)
        status = fail_no_device(platforms, platform_count, error);
    free(platforms);
    if (status != STATUS_OK) {
        free(*places);
        *places = NULL;
        *count = 0;
    }
    return status;
}
