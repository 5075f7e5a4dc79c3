/* Finding OpenCL's devices, and what each says of itself. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opencl/causes.h"
#include "backends/opencl/opencl.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/size.h"
#include "base/text.h"

/* ---- finding ---- */

#define LISTED_MOST 4096 /* platforms, or devices of one: more are nonsense */

static enum status fail_no_driver(struct error *error)
{
    char why[600];
    describe_registrations(why, sizeof why);
    if (!why[0])
        explain(why, sizeof why, "the registered drivers have no platform");
    return fail(error, STATUS_UNAVAILABLE,
                "OpenCL is here, but no driver is registered with it (%s): install your GPU's driver, or "
                "pocl-opencl-icd to run on the processor",
                why);
}

static enum status find_platforms(cl_platform_id **platforms, cl_uint *count, struct error *error)
{
    char why[600];
    *platforms = NULL;
    *count = 0;
    enum status status = opencl_library_open(error);
    if (status != STATUS_OK)
        return status;
    if (registrations_are_endless(why, sizeof why))
        return fail(error, STATUS_UNAVAILABLE, "OpenCL's drivers are not looked for: %s", why);
    cl_int code = cl.GetPlatformIDs(0, NULL, count);
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && *count == 0))
        return fail_no_driver(error);
    if (code == CL_SUCCESS && *count > LISTED_MOST)
        code = CL_INVALID_VALUE;
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

/* How many devices a platform has; a platform without any is no error. Where many programs start at once a driver may
 * be short of something for a moment: it is asked again. */
static cl_int count_devices(cl_platform_id platform, cl_uint *count)
{
    static const int64_t pauses_ns[] = {100000000, 400000000};
    static bool is_patient = true; /* until one stays away for good */
    cl_int code = cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, count);
    for (size_t i = 0; is_patient && i < COUNT_OF(pauses_ns) && code != CL_SUCCESS && code != CL_DEVICE_NOT_FOUND;
         i++) {
        clock_sleep(pauses_ns[i]);
        code = cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, count);
    }
    if (code == CL_SUCCESS && *count > LISTED_MOST)
        code = CL_INVALID_VALUE;
    if (code != CL_SUCCESS)
        *count = 0;
    is_patient = is_patient && (code == CL_SUCCESS || code == CL_DEVICE_NOT_FOUND);
    return code == CL_DEVICE_NOT_FOUND ? CL_SUCCESS : code;
}

static bool is_listed(const struct opencl_place *places, int count, cl_device_id device)
{
    for (int i = 0; i < count; i++)
        if (places[i].device == device)
            return true;
    return false;
}

/* Appends one platform's devices; those of a driver that is registered twice are listed once; one that does not tell
 * them is passed over: opencl_describe_missing names it. False when memory is out. */
static bool append_devices(cl_platform_id platform, struct opencl_place **places, int *count)
{
    cl_uint more = 0;
    if (count_devices(platform, &more) != CL_SUCCESS || more == 0)
        return true;
    cl_device_id *devices = calloc(more, sizeof(cl_device_id));
    struct opencl_place *grown = realloc(*places, ((size_t)*count + more) * sizeof **places);
    if (grown)
        *places = grown;
    bool fits = devices && grown;
    if (fits && cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, more, devices, NULL) == CL_SUCCESS)
        for (cl_uint i = 0; i < more; i++)
            if (!is_listed(*places, *count, devices[i]))
                (*places)[(*count)++] = (struct opencl_place){platform, devices[i]};
    free(devices);
    return fits;
}

static void name_of(cl_platform_id platform, char name[128])
{
    strcpy(name, "?");
    cl.GetPlatformInfo(platform, CL_PLATFORM_NAME, 128, name, NULL);
    name[127] = 0;
}

void opencl_describe_missing(bool faults_only, char *text, size_t size)
{
    cl_platform_id *platforms = NULL;
    cl_uint platform_count = 0;
    struct error why;
    text[0] = 0;
    if (find_platforms(&platforms, &platform_count, &why) != STATUS_OK)
        return;
    if (!faults_only)
        describe_registrations(text, size);
    for (cl_uint i = 0; platforms && i < platform_count; i++) {
        char name[128];
        cl_uint count = 0;
        cl_int code = count_devices(platforms[i], &count);
        name_of(platforms[i], name);
        if (code != CL_SUCCESS)
            explain_more(text, size, "%sthe platform %s does not list its devices: %s", text[0] ? "; " : "", name,
                         opencl_error_name(code));
        else if (count == 0 && !faults_only)
            explain_more(text, size, "%sthe platform %s has no device", text[0] ? "; " : "", name);
    }
    free(platforms);
}

static enum status fail_no_device(const cl_platform_id *platforms, cl_uint count, struct error *error)
{
    char names[256] = "";
    for (cl_uint i = 0; i < count; i++) {
        char name[128];
        name_of(platforms[i], name);
        text_append(names, sizeof names, "%s%s", i ? ", " : "", name);
    }
    char why[PATH_MAX];
    if (strstr(names, POCL_NAME) && pocl_cache_is_shut(why, sizeof why))
        return fail(error, STATUS_UNAVAILABLE,
                    "PoCL has no device, as it %.700s; name a folder that it can write in POCL_CACHE_DIR", why);
    const char *wish = getenv("POCL_DEVICES");
    if (strstr(names, POCL_NAME) && wish)
        return fail(error, STATUS_UNAVAILABLE,
                    "PoCL has no device, as POCL_DEVICES is '%s': unset it to use the processor", wish);
    return fail(error, STATUS_UNAVAILABLE,
                "OpenCL's drivers (%s) find no device. Is the GPU there, and may you use it (/dev/dri, /dev/nvidia*)? "
                "Or install pocl-opencl-icd to run on the processor",
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
